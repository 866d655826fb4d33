import type { JsonObject, JsonValue } from '@parley/protocol'
import { type Tier, tierOf, type TrustVector, worstTier } from './ar4si.js'

/** The appraisal of one part of an attester, before it is named. */
export type Submod = {
  readonly status: Tier
  readonly vector: TrustVector
  readonly claims: JsonObject
}

/**
 * A status that is never better than its vector, than what failed beside it, or than `none` where something that
 * counts was left out.
 */
export const statusOf = (vector: TrustVector, failures: readonly Tier[], complete: boolean): Tier => {
  const worst = worstTier([...Object.values(vector).map(tierOf), ...failures])
  return worst === 'affirming' && !complete ? 'none' : worst
}

type Shown = {
  readonly name: string
  readonly result: string
  readonly code?: string | null
  readonly trusted_for: string
}

/** Checks for a reader of the claims: `result`, or `result: code`, by name. */
export const shownChecks = (checks: readonly Shown[]): JsonObject =>
  Object.fromEntries(
    checks.map(({ name, result, code }) => [name, code == null ? result : `${result}: ${code}`]),
  )

/** A list of plain objects as JSON. */
export const asJson = (items: readonly { readonly check: string; readonly reason: string }[]): JsonValue =>
  items.map(({ check, reason }) => ({ check, reason }))
