import type { RevocationList } from '../crl/parse-crl.js'
import { demand } from '../errors.js'
import type { Rule } from './rule.js'

const DAY_MS = 86_400_000

const checkFresh = (
  { thisUpdateMs, nextUpdateMs }: RevocationList,
  nowMs: number,
  maxAgeDays: number,
): void => {
  // RFC 5280 §5.1.2.5: a newer one is out by nextUpdate.
  demand(nowMs < nextUpdateMs, 'crl_expired', 'the CRL is past its nextUpdate')
  demand(nowMs - thisUpdateMs <= maxAgeDays * DAY_MS, 'crl_too_old', 'the CRL is older than expected')
}

/**
 * The root's CRL is there and new enough. That it is the root's, and that it revokes nothing here, is no matter of
 * policy: evidence with another CRL is not genuine.
 */
export const crlRule: Rule = ({ signed: { crl }, policy: { crl: expected }, nowMs }) => {
  demand(crl !== null || expected.use !== 'required', 'crl_missing', 'there is no CRL')
  if (crl === null || expected.use === 'not_used') return 'any'
  checkFresh(crl, nowMs, expected.max_age_days)
  return 'passed'
}

/** The leaf was issued lately enough. */
export const leafAgeRule: Rule = ({ signed, policy: { leaf_age: expected }, nowMs }) => {
  if ('any' in expected) return 'any'
  const ageMs = nowMs - signed.chain.leaf.notBeforeMs
  demand(ageMs <= expected.max_days * DAY_MS, 'certificate_too_old', 'the leaf was issued too long ago')
  return 'passed'
}
