import type { CheckResult } from '../checks.js'
import { AttestationError } from '../errors.js'
import type { SigningKey } from '../report/signer-info.js'
import type { VerifiedChain } from './verify-chain.js'

/** For how many days after its end a leaf of each kind still counts. */
export type LeafGrace = Readonly<Record<SigningKey, number>>

/** A leaf counts to its end. */
export const NO_GRACE: LeafGrace = { vcek: 0, vlek: 0 }

const DAY_MS = 86_400_000

/**
 * Each certificate of a chain counts at this time; both ends of a validity belong to it (RFC 5280 §4.1.2.5).
 * @param grace for the leaf alone: a provider can be late with its VLEKs, a root can't
 * @returns any where the leaf counts by grace only
 * @throws AttestationError certificate_not_yet_valid, certificate_expired
 */
export const checkValidity = (
  { leaf, intermediate, root }: VerifiedChain,
  nowMs: number,
  grace: LeafGrace,
): CheckResult => {
  const graceMs = grace[leaf.leaf.kind] * DAY_MS
  for (const { subject, notBeforeMs, notAfterMs } of [leaf, intermediate, root]) {
    const endMs = subject === leaf.subject ? notAfterMs + graceMs : notAfterMs
    if (nowMs < notBeforeMs)
      throw new AttestationError('certificate_not_yet_valid', `${subject.commonName} is not valid yet`)
    if (nowMs > endMs) throw new AttestationError('certificate_expired', `${subject.commonName} has expired`)
  }
  return nowMs > leaf.notAfterMs ? 'any' : 'passed'
}
