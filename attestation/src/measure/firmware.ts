import { AttestationError } from '../errors.js'
import { type FooterTable, readFooterTable } from './footer-table.js'
import { PAGE_BYTES } from './page-info.js'
import { readSevMetadata, type Section } from './sev-metadata.js'

/** A firmware image, with what decides how it is measured. */
export type Firmware = {
  readonly image: Uint8Array
  /** Where the image is mapped: it ends at 4 GiB. */
  readonly gpa: number
  readonly sections: readonly Section[]
  /** Where the hashes of kernel, initrd and command line go; null where the firmware doesn't look for them. */
  readonly hashTable: { readonly gpa: number; readonly size: number } | null
  /** Where a processor other than the first starts; null where the firmware doesn't say. */
  readonly resetEip: number | null
}

/** Entries of the footer table, by the names of edk2 and QEMU: GUID, and how many bytes of data. */
const ENTRIES = {
  SEV_METADATA: { guid: 'dc886566-984a-4798-a75e-5585a7bf67cc', size: 4 },
  SEV_HASH_TABLE_RV: { guid: '7255371f-3a3b-4b04-927b-1da6efa8d454', size: 8 },
  SEV_ES_RESET_BLOCK: { guid: '00f771de-1a7e-4fcb-890e-68c77e2fb44e', size: 4 },
} as const

const FOUR_GIB = 2 ** 32

// What QEMU's machines accept for their flash, and four times what OVMF needs.
const MAX_IMAGE_BYTES = 16 * 2 ** 20

const malformed = (what: string): AttestationError => new AttestationError('firmware_malformed', what)

const entry = (table: FooterTable, name: keyof typeof ENTRIES): DataView | null => {
  const { guid, size } = ENTRIES[name]
  const data = table.get(guid)
  if (data === undefined) return null
  if (data.length !== size) throw malformed(`${name} has ${data.length} bytes, not ${size}`)
  return new DataView(data.buffer, data.byteOffset, data.length)
}

const readSections = (image: Uint8Array, table: FooterTable): readonly Section[] => {
  const offset = entry(table, 'SEV_METADATA')?.getUint32(0, true)
  if (offset === undefined) throw malformed('no SEV metadata: not a firmware for SEV-SNP')
  if (offset > image.length) throw malformed('the SEV metadata starts before the image')
  return readSevMetadata(image.subarray(image.length - offset))
}

const readHashTable = (table: FooterTable): Firmware['hashTable'] => {
  const area = entry(table, 'SEV_HASH_TABLE_RV')
  const gpa = area?.getUint32(0, true) ?? 0
  // A build without measured direct boot leaves the entry in place and writes zeros.
  return area === null || gpa === 0 ? null : { gpa, size: area.getUint32(4, true) }
}

/**
 * Reads a firmware image as QEMU, EC2 and Google's VMM do: OVMF, or another that carries the same tables.
 * @param image whole 4 KiB pages, at most 16 MiB; not copied
 * @throws AttestationError firmware_malformed
 */
export const parseFirmware = (image: Uint8Array): Firmware => {
  const { length } = image
  if (length === 0 || length % PAGE_BYTES !== 0)
    throw malformed(`an image of ${length} bytes is not made of whole pages`)
  if (length > MAX_IMAGE_BYTES) throw malformed(`an image of ${length} bytes is over ${MAX_IMAGE_BYTES}`)
  const table = readFooterTable(image)
  return {
    image,
    gpa: FOUR_GIB - length,
    sections: readSections(image, table),
    hashTable: readHashTable(table),
    resetEip: entry(table, 'SEV_ES_RESET_BLOCK')?.getUint32(0, true) ?? null,
  }
}
