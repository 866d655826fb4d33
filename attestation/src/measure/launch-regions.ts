import { AttestationError } from '../errors.js'
import type { Firmware } from './firmware.js'
import { HASH_TABLE_BYTES, kernelHashTable, type PayloadHashes } from './kernel-hashes.js'
import { PAGE_BYTES, type PageType } from './page-info.js'
import type { Section, SectionKind } from './sev-metadata.js'
import { pageRules, type Vmm } from './vmm.js'

/** Pages that are launched one after the other in the same way. */
export type Region = {
  readonly name: string
  readonly type: PageType
  readonly gpa: number
  readonly pages: number
  /** The bytes of all pages, or null where they are not measured. */
  readonly contents: Uint8Array | null
}

/** The firmware image itself, just under 4 GiB. */
export const imageRegion = ({ image, gpa }: Firmware): Region => ({
  name: 'firmware',
  type: 'NORMAL',
  gpa,
  pages: image.length / PAGE_BYTES,
  contents: image,
})

const refuse = (what: string): AttestationError => new AttestationError('measurement_input_malformed', what)

type PlacedTable = { readonly at: number; readonly table: Uint8Array }

// Without the page the firmware would boot whatever kernel it is given, and a digest would say nothing of it.
const placeHashes = ({ sections, hashTable }: Firmware, hashes: PayloadHashes): PlacedTable => {
  const hasPage = sections.some(({ kind }) => kind === 'KERNEL_HASHES')
  if (hashTable === null || hashTable.size < HASH_TABLE_BYTES || !hasPage) {
    throw refuse('a kernel is given, but the firmware measures no page for its hash')
  }
  return { at: hashTable.gpa % PAGE_BYTES, table: kernelHashTable(hashes) }
}

const hashesContents = ({ at, table }: PlacedTable, pages: number): Uint8Array => {
  const contents = new Uint8Array(pages * PAGE_BYTES)
  if (at + table.length > contents.length) throw refuse('the table of hashes does not fit into its page')
  contents.set(table, at)
  return contents
}

const typeOf = (kind: SectionKind, vmm: Vmm, table: PlacedTable | null): PageType => {
  switch (kind) {
    case 'SEC_MEM':
      return pageRules(vmm).secMem
    case 'SECRETS':
      return 'SECRETS'
    case 'CPUID':
      return 'CPUID'
    case 'SVSM_CAA':
      return 'ZERO'
    case 'KERNEL_HASHES':
      return table === null ? 'ZERO' : 'NORMAL'
  }
}

const ordered = (sections: readonly Section[], vmm: Vmm): readonly Section[] =>
  pageRules(vmm).cpuidLast
    ? [...sections.filter(({ kind }) => kind !== 'CPUID'), ...sections.filter(({ kind }) => kind === 'CPUID')]
    : sections

/**
 * The pages that the firmware asks for, in the order in which a VMM launches them.
 * @param hashes of what is booted directly, or null for a boot from a disk
 * @throws AttestationError measurement_input_malformed for hashes that the firmware would not measure
 */
export const metadataRegions = (
  firmware: Firmware,
  vmm: Vmm,
  hashes: PayloadHashes | null,
): readonly Region[] => {
  const table = hashes === null ? null : placeHashes(firmware, hashes)
  return ordered(firmware.sections, vmm).map(({ kind, gpa, pages }) => ({
    name: kind.toLowerCase(),
    type: typeOf(kind, vmm, table),
    gpa,
    pages,
    contents: kind === 'KERNEL_HASHES' && table !== null ? hashesContents(table, pages) : null,
  }))
}
