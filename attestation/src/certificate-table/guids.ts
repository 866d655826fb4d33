/** Entries of the GHCB certificate table that have a name here (AMD 56421, GHCB §4.1.8.1; go-sev-guest; GCE). */
export const TABLE_GUID = {
  vcek: '63da758d-e664-4564-adc5-f4b93be8accd',
  vlek: 'a8074bc2-a25a-483e-aae6-39c045a0b8a1',
  /** Also where a provider puts the ASVK. */
  ask: '4ab7b379-bbac-4fe4-a02f-05aef327c782',
  ark: 'c0b406a4-a803-4952-9743-3fb6014cd0ae',
  crl: '92f81bc3-5811-4d3d-97ff-d19f88dc67ea',
  /** Written by the guest itself and so worth nothing: its CPUID is the hypervisor's choice. */
  extra_platform_info: 'ecae0c0f-9502-43b1-afa2-0ae2e0d565b6',
  firmware_endorsement: '9f4116cd-c503-4f5a-8f6f-fb68882f4ce2',
} as const

/** The name of a known entry. */
export type TableEntryName = keyof typeof TABLE_GUID

const NAMES = new Map<string, TableEntryName>([
  [TABLE_GUID.vcek, 'vcek'],
  [TABLE_GUID.vlek, 'vlek'],
  [TABLE_GUID.ask, 'ask'],
  [TABLE_GUID.ark, 'ark'],
  [TABLE_GUID.crl, 'crl'],
  [TABLE_GUID.extra_platform_info, 'extra_platform_info'],
  [TABLE_GUID.firmware_endorsement, 'firmware_endorsement'],
])

/** The name of an entry, or null where its identifier is unknown. */
export const tableEntryName = (guid: string): TableEntryName | null => NAMES.get(guid) ?? null
