import { type PeSection, readPe } from './pe-image.js'

const CODE = 0x20
const INITIALIZED_DATA = 0x40
const READABLE = 0x40000000
const NX_COMPAT = 0x100
const ROW_BYTES = 40

/** What a unified kernel image is made of. */
export type UkiParts = {
  /** systemd's stub, which measures the sections and starts the kernel. */
  readonly stub: Buffer
  readonly linux: Buffer
  readonly initrd: Buffer
  readonly cmdline: string
  readonly uname: string
}

/**
 * One image that the firmware starts: the stub with the other parts as sections (UAPI specification "Unified Kernel
 * Image"). Unsigned, and the same bytes for the same parts.
 */
export function assembleUki({ stub, linux, initrd, cmdline, uname }: UkiParts): Buffer {
  const parts: readonly (readonly [string, Buffer])[] = [
    ['.cmdline', Buffer.from(cmdline)],
    ['.uname', Buffer.from(uname)],
    ['.initrd', initrd],
    ['.linux', linux],
  ]
  const image = parts.reduce<Buffer>(
    (made, [name, bytes]) => addSection(made, name, bytes),
    Buffer.from(stub),
  )
  return agreeOnExecution(image, linux)
}

/** Appends a section behind the last one, in the file and in memory. */
function addSection(image: Buffer, name: string, bytes: Buffer): Buffer {
  const pe = readPe(image)
  const last = pe.sections.at(-1)
  if (last === undefined || pe.tableEnd + ROW_BYTES > pe.sizeOfHeaders) throw new Error(`no room for ${name}`)
  const section = {
    name,
    virtualSize: bytes.length,
    virtualAddress: roundUp(last.virtualAddress + last.virtualSize, pe.sectionAlignment),
    rawSize: roundUp(bytes.length, pe.fileAlignment),
    rawOffset: roundUp(image.length, pe.fileAlignment),
  }
  const made = Buffer.concat(
    [image, Buffer.alloc(section.rawOffset - image.length), bytes],
    section.rawOffset + section.rawSize,
  )
  writeRow(made, pe.tableEnd, section)
  made.writeUInt16LE(pe.sections.length + 1, pe.countAt)
  made.writeUInt32LE(made.readUInt32LE(pe.sizeOfInitializedDataAt) + bytes.length, pe.sizeOfInitializedDataAt)
  made.writeUInt32LE(roundUp(section.virtualAddress + bytes.length, pe.sectionAlignment), pe.sizeOfImageAt)
  made.writeUInt32LE(0, pe.checkSumAt)
  return made
}

function writeRow(image: Buffer, at: number, section: PeSection): void {
  image.write(section.name.padEnd(8, '\0'), at, 8, 'latin1')
  image.writeUInt32LE(section.virtualSize, at + 8)
  image.writeUInt32LE(section.virtualAddress, at + 12)
  image.writeUInt32LE(section.rawSize, at + 16)
  image.writeUInt32LE(section.rawOffset, at + 20)
  image.writeUInt32LE((READABLE | (section.name === '.linux' ? CODE : INITIALIZED_DATA)) >>> 0, at + 36)
}

/** Firmware that enforces NX starts a kernel only if the image around it says the same of itself. */
function agreeOnExecution(image: Buffer, linux: Buffer): Buffer {
  const outer = readPe(image).dllCharacteristicsAt
  if ((linux.readUInt16LE(readPe(linux).dllCharacteristicsAt) & NX_COMPAT) === 0)
    image.writeUInt16LE(image.readUInt16LE(outer) & ~NX_COMPAT, outer)
  return image
}

const roundUp = (size: number, unit: number): number => Math.ceil(size / unit) * unit
