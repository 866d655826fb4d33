import { AttestationError } from '../errors.js'
import { PAGE_BYTES } from './page-info.js'

/** A kind of memory that a firmware asks its VMM to prepare. */
export type SectionKind = 'SEC_MEM' | 'SECRETS' | 'CPUID' | 'SVSM_CAA' | 'KERNEL_HASHES'

/** Section types (edk2, OvmfPkg/ResetVector/X64/OvmfSevMetadata.asm). */
const SECTION_KINDS: ReadonlyMap<number, SectionKind> = new Map([
  [0x01, 'SEC_MEM'],
  [0x02, 'SECRETS'],
  [0x03, 'CPUID'],
  [0x04, 'SVSM_CAA'],
  [0x10, 'KERNEL_HASHES'],
])

export type Section = {
  readonly kind: SectionKind
  /** Guest physical address, a multiple of 4096. */
  readonly gpa: number
  readonly pages: number
}

const SIGNATURE = 0x56455341 // "ASEV"
const VERSION = 1
const HEADER_BYTES = 16
const SECTION_BYTES = 12
const ADDRESS_SPACE_BYTES = 2 ** 32

// 256 MiB. Real firmware asks for under a megabyte; a forged size must not keep the hash busy.
const MAX_PAGES = 65536

const malformed = (what: string): AttestationError =>
  new AttestationError('firmware_malformed', `SEV metadata: ${what}`)

const kindOf = (type: number): SectionKind => {
  const kind = SECTION_KINDS.get(type)
  // Its pages would be measured somehow: a digest that leaves them out would be wrong without saying so.
  if (kind === undefined) throw malformed(`section type ${type} is not known`)
  return kind
}

const readSection = (view: DataView, at: number): Section => {
  const gpa = view.getUint32(at, true)
  const size = view.getUint32(at + 4, true)
  const kind = kindOf(view.getUint32(at + 8, true))
  if (gpa % PAGE_BYTES !== 0 || size % PAGE_BYTES !== 0) throw malformed(`${kind} is not made of whole pages`)
  if (size === 0 || gpa + size > ADDRESS_SPACE_BYTES) throw malformed(`${kind} is empty or beyond 4 GiB`)
  return { kind, gpa, pages: size / PAGE_BYTES }
}

const readHeader = (view: DataView): number => {
  if (view.byteLength < HEADER_BYTES) throw malformed('cut short')
  if (view.getUint32(0, true) !== SIGNATURE) throw malformed('no signature ASEV')
  const version = view.getUint32(8, true)
  if (version !== VERSION) throw malformed(`version ${version} is not known`)
  const size = view.getUint32(4, true)
  const count = view.getUint32(12, true)
  if (size !== HEADER_BYTES + count * SECTION_BYTES)
    throw malformed(`${count} sections don't have ${size} bytes`)
  if (size > view.byteLength) throw malformed('cut short')
  return count
}

/**
 * Reads the sections, in the order of the file, which is the order of measurement.
 * @param bytes the image from where the metadata starts to its end
 * @throws AttestationError firmware_malformed
 */
export const readSevMetadata = (bytes: Uint8Array): readonly Section[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = readHeader(view)
  const sections = Array.from({ length: count }, (_, at) =>
    readSection(view, HEADER_BYTES + at * SECTION_BYTES),
  )
  const pages = sections.reduce((sum, section) => sum + section.pages, 0)
  if (pages > MAX_PAGES) throw malformed(`${pages} pages are more than ${MAX_PAGES}`)
  return sections
}
