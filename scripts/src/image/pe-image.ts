/** One row of a PE image's section table. */
export type PeSection = {
  readonly name: string
  readonly virtualSize: number
  readonly virtualAddress: number
  readonly rawSize: number
  readonly rawOffset: number
}

/** Where the numbers of a PE32+ image stand that are read or changed here (Microsoft, PE Format). */
export type PeLayout = {
  readonly sections: readonly PeSection[]
  /** Where the next row of the section table would stand. */
  readonly tableEnd: number
  readonly countAt: number
  readonly sizeOfInitializedDataAt: number
  readonly sizeOfImageAt: number
  readonly checkSumAt: number
  readonly dllCharacteristicsAt: number
  readonly certificateTableAt: number
  readonly sizeOfHeaders: number
  readonly sectionAlignment: number
  readonly fileAlignment: number
}

const PE32_PLUS = 0x20b
const ROW_BYTES = 40

/** Reads the headers of a PE32+ image. */
export function readPe(image: Buffer): PeLayout {
  const header = image.readUInt32LE(0x3c)
  const optional = header + 24
  if (image.toString('latin1', header, header + 4) !== 'PE\0\0' || image.readUInt16LE(optional) !== PE32_PLUS)
    throw new Error('no PE32+ image')
  const count = image.readUInt16LE(header + 6)
  const table = optional + image.readUInt16LE(header + 20)
  return {
    sections: Array.from({ length: count }, (_, at) => readSection(image, table + at * ROW_BYTES)),
    tableEnd: table + count * ROW_BYTES,
    countAt: header + 6,
    sizeOfInitializedDataAt: optional + 8,
    sizeOfImageAt: optional + 56,
    checkSumAt: optional + 64,
    dllCharacteristicsAt: optional + 70,
    certificateTableAt: optional + 144,
    sizeOfHeaders: image.readUInt32LE(optional + 60),
    sectionAlignment: image.readUInt32LE(optional + 32),
    fileAlignment: image.readUInt32LE(optional + 36),
  }
}

const readSection = (image: Buffer, at: number): PeSection => ({
  name: image.toString('latin1', at, at + 8).replace(/\0+$/, ''),
  virtualSize: image.readUInt32LE(at + 8),
  virtualAddress: image.readUInt32LE(at + 12),
  rawSize: image.readUInt32LE(at + 16),
  rawOffset: image.readUInt32LE(at + 20),
})

/** The bytes of a section, without what fills its last block. */
export const sectionBytes = (image: Buffer, { rawOffset, rawSize, virtualSize }: PeSection): Buffer =>
  image.subarray(rawOffset, rawOffset + Math.min(rawSize, virtualSize))
