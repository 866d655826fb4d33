/** The two execution lanes. Nothing that one lane signs can be read as the other's. */
export const LANES = ['confidential', 'software'] as const

/** An execution lane. */
export type Lane = (typeof LANES)[number]

/** Every purpose for which Parley hashes or signs an object of its own. The table is closed. */
export const PURPOSES = [
  'keyset',
  'report-data',
  'boot-quote',
  'possession',
  'leaf/keyset',
  'leaf/offer',
  'leaf/receipt',
  'offer',
  'consent',
  'input',
  'output',
  'ledger-claim',
  'ledger-entry',
  'audit-entry',
  'audit-leaf',
  'transcript',
  'receipt',
  'refusal',
  'a2a-task',
  'a2a-response',
  'release',
] as const

/** A row of the label table. */
export type Purpose = (typeof PURPOSES)[number]

/**
 * The domain-separation label of one purpose in one lane: `parley/v1/LANE/PURPOSE`.
 * It is followed by one zero octet and the JCS bytes of the object (SPEC §3).
 */
export function label(lane: Lane, purpose: Purpose): string {
  return `parley/v1/${lane}/${purpose}`
}
