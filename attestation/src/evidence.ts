import type { ChainMemo } from './chain/chain-memo.js'
import { AttestationError } from './errors.js'

/** What an attester hands over. No part is believed: all are bytes from a stranger. */
export type Evidence = {
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
  /** Leaf, intermediate and root in any order, with others; each DER, or PEM with one or more. */
  readonly certificates: readonly Uint8Array[]
  /** The root's list of revoked certificates, DER; none where absent. It is verified wherever it is there. */
  readonly crl?: Uint8Array
}

/**
 * A root that the caller trusts beside AMD's, DER or PEM. The evidence has to hold the same certificate. Whatever ends
 * at it is simulated, and says so everywhere.
 */
export type ExtraRoot = { readonly certificate: Uint8Array; readonly simulated: true }

/**
 * A root that vouches for the attestation keys of TPMs, one certificate in DER or PEM. None is built in: `google` says that
 * the caller has Google's own, and whatever ends at any other is simulated.
 */
export type TpmRoot = { readonly certificate: Uint8Array; readonly kind: 'google' | 'simulated' }

/** A point in time: a Date, or milliseconds since 1970. */
export type Instant = Date | number

/** What evidence is judged under. Time is passed in: this package reads no clock. */
export type Terms = {
  readonly now: Instant
  /** Roots beside AMD's; none where absent. */
  readonly roots?: readonly ExtraRoot[]
  /** Roots of TPMs; none where absent. */
  readonly tpmRoots?: readonly TpmRoot[]
  /** Chains verified before; nothing is remembered where absent. */
  readonly memo?: ChainMemo
}

/** @throws AttestationError argument_invalid where it is no point in time */
export const toMilliseconds = (instant: Instant): number => {
  const milliseconds = typeof instant === 'number' ? instant : instant.getTime()
  if (!Number.isFinite(milliseconds))
    throw new AttestationError('argument_invalid', '`now` is no point in time')
  return milliseconds
}
