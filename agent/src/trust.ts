import type { JsonValue } from '@parley/protocol'
import type { BundleToVerify } from '@parley/verifier'

/** What a participant judges relays by: the same for evidence before a seal and for a bundle afterwards. */
export type Trust = {
  /** A verifier's policy, as parsed JSON (SPEC §16). */
  readonly policy: JsonValue
  /** Certificates of roots beside AMD's, DER or PEM; whatever ends in one is SIMULATED. */
  readonly roots: readonly Uint8Array[]
  /** Certificates of roots of TPMs: Google's, as whoever names it says, or one of their own, which is SIMULATED. */
  readonly tpmRoots?: readonly TpmRoot[]
}

/** A root of a TPM. */
export type TpmRoot = NonNullable<BundleToVerify['tpmRoots']>[number]

/** The roots as the verifier takes them. */
export const rootTerms = ({
  roots,
  tpmRoots = [],
}: Trust): Required<Pick<BundleToVerify, 'roots' | 'tpmRoots'>> => ({
  roots: roots.map((certificate) => ({ certificate, simulated: true })),
  tpmRoots,
})
