/** What the signature of an inner request covers, exactly and in this order (SPEC §10). */
export const COVERED_COMPONENTS = [
  '@method',
  '@path',
  '@query',
  'content-digest',
  'date',
  'parley-session',
  'parley-role',
  'parley-seq',
  'parley-offer',
  'parley-enc',
] as const

/** The RFC 9421 tag of an inner request. */
export const SIGNATURE_TAG = 'parley-v1'
