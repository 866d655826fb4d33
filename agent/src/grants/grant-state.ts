import { countedOf, type Grant, type GrantRecord } from '@parley/guardian'

/** What a grant is worth at a time, as its owner sees it; whether it permits something is judged at every use. */
export type GrantState = 'active' | 'expired' | 'revoked' | 'used up'

/** @param now Unix seconds */
export const grantState = (grant: Grant, record: GrantRecord | undefined, now: number): GrantState => {
  const { max_uses } = countedOf(grant)
  if (record?.revoked === true) return 'revoked'
  if (now >= grant.exp) return 'expired'
  return max_uses !== null && (record?.uses ?? 0) >= max_uses ? 'used up' : 'active'
}
