/** Trustworthiness claims of AR4SI that this verifier makes. Where it has not looked, it claims nothing. */
export type TrustClaim = 'instance-identity' | 'configuration' | 'executables' | 'hardware' | 'runtime-opaque'

/** A vector: claims and their values. */
export type TrustVector = Readonly<Partial<Record<TrustClaim, number>>>

/**
 * The values that are used, by AR4SI's names.
 * @see draft-ietf-rats-ar4si §2.3.4
 */
export const AR4SI = {
  /** Of every claim: recognised, genuine, approved, encrypted. */
  affirmed: 2,
  unsafe: 32,
  unrecognizedExecutables: 33,
  contraindicated: 96,
  unrecognized: 97,
  cryptoFailed: 99,
} as const

/** How far a result may be trusted. */
export type Tier = 'none' | 'affirming' | 'warning' | 'contraindicated'

const ORDER: readonly Tier[] = ['none', 'affirming', 'warning', 'contraindicated']

/** The tier that a value lies in. */
export const tierOf = (value: number): Tier => {
  if (value >= 96) return 'contraindicated'
  if (value >= 32) return 'warning'
  return value >= 2 ? 'affirming' : 'none'
}

/** The tier of least trust; `none` of no tiers. */
export const worstTier = (tiers: readonly Tier[]): Tier =>
  tiers.reduce((worst, tier) => (ORDER.indexOf(tier) > ORDER.indexOf(worst) ? tier : worst), 'none')
