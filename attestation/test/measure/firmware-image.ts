import { guidBytes } from '../../src/measure/guid.js'

export type PlannedSection = { readonly type: number; readonly gpa: number; readonly size: number }
type Entry = { readonly guid: string; readonly data: Uint8Array }

/** What a firmware of our own says about itself. */
export type FirmwarePlan = {
  readonly pages: number
  readonly sections: readonly PlannedSection[]
  readonly hashTable: { readonly gpa: number; readonly size: number } | null
  readonly resetEip: number | null
  readonly metadataVersion?: number
  /** Entries beside those that the plan names. */
  readonly extra?: readonly Entry[]
}

export const GUID = {
  FOOTER: '96b582de-1fb2-45f7-baea-a366c55a082d',
  SEV_METADATA: 'dc886566-984a-4798-a75e-5585a7bf67cc',
  SEV_HASH_TABLE_RV: '7255371f-3a3b-4b04-927b-1da6efa8d454',
  SEV_ES_RESET_BLOCK: '00f771de-1a7e-4fcb-890e-68c77e2fb44e',
  OTHER: '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
} as const

/** Where the metadata ends, counted from the end of the image. The footer table stays behind it. */
const METADATA_FROM_END = 0x400
const RESET_VECTOR_BYTES = 32

export const u32 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at))
  return bytes
}

const entryBytes = ({ guid, data }: Entry): Uint8Array => {
  const size = data.length + 18
  return Buffer.concat([data, Uint8Array.of(size & 0xff, size >> 8), guidBytes(guid)])
}

const metadataOf = ({ sections, metadataVersion = 1 }: FirmwarePlan): Uint8Array =>
  Buffer.concat([
    Buffer.from('ASEV', 'ascii'),
    u32(16 + 12 * sections.length, metadataVersion, sections.length),
    ...sections.map(({ gpa, size, type }) => u32(gpa, size, type)),
  ])

/** The table as it stands before the reset vector: entries, then the footer, which counts them all. */
export const footerTable = (entries: readonly Entry[]): Uint8Array => {
  const body = Buffer.concat(entries.map(entryBytes))
  const total = body.length + 18
  return Buffer.concat([body, Uint8Array.of(total & 0xff, total >> 8), guidBytes(GUID.FOOTER)])
}

const entriesOf = (plan: FirmwarePlan, metadataOffset: number): Entry[] => {
  const { hashTable, resetEip, extra = [] } = plan
  return [
    ...extra,
    { guid: GUID.SEV_METADATA, data: u32(metadataOffset) },
    ...(hashTable === null
      ? []
      : [{ guid: GUID.SEV_HASH_TABLE_RV, data: u32(hashTable.gpa, hashTable.size) }]),
    ...(resetEip === null ? [] : [{ guid: GUID.SEV_ES_RESET_BLOCK, data: u32(resetEip) }]),
  ]
}

/** An image whose bytes are a pattern and the given table, which ends where the reset vector starts. */
export const imageWithTable = (pages: number, table: Uint8Array): Buffer => {
  const image = Buffer.from(
    Uint8Array.from({ length: pages * 4096 }, (_, at) => (at * 7 + (at >> 8) * 13) & 0xff),
  )
  image.set(table, image.length - RESET_VECTOR_BYTES - table.length)
  return image
}

/** A firmware image of our own: a pattern, with the tables that a VMM reads. It boots nothing. */
export const firmwareImage = (plan: FirmwarePlan): Buffer => {
  const metadata = metadataOf(plan)
  const offset = METADATA_FROM_END + metadata.length
  const image = imageWithTable(plan.pages, footerTable(entriesOf(plan, offset)))
  image.set(metadata, image.length - offset)
  return image
}

const SEC_MEM = 1
const SECRETS = 2
const CPUID = 3
const SVSM_CAA = 4
const KERNEL_HASHES = 0x10

/** Asks for every kind of section; CPUID is not the last of them. */
export const MEASURED_BOOT: FirmwarePlan = {
  pages: 2,
  sections: [
    { type: SEC_MEM, gpa: 0x800000, size: 0x3000 },
    { type: SECRETS, gpa: 0x80d000, size: 0x1000 },
    { type: CPUID, gpa: 0x80e000, size: 0x1000 },
    { type: SVSM_CAA, gpa: 0x80f000, size: 0x1000 },
    { type: KERNEL_HASHES, gpa: 0x810000, size: 0x1000 },
    { type: SEC_MEM, gpa: 0x811000, size: 0x2000 },
  ],
  hashTable: { gpa: 0x810c00, size: 0x400 },
  resetEip: 0x80b004,
}

/** Takes no kernel: the entry of its hash table holds zeros, as in builds without measured boot. */
export const DISK_BOOT: FirmwarePlan = {
  pages: 1,
  sections: [
    { type: SEC_MEM, gpa: 0x800000, size: 0x2000 },
    { type: SECRETS, gpa: 0x80d000, size: 0x1000 },
    { type: CPUID, gpa: 0x80e000, size: 0x1000 },
  ],
  hashTable: { gpa: 0, size: 0 },
  resetEip: 0x80b004,
}
