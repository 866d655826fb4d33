import type { JsonValue } from '@parley/protocol'

/** What a participant judges relays by: the same for evidence before a seal and for a bundle afterwards. */
export type Trust = {
  /** A verifier's policy, as parsed JSON (SPEC §16). */
  readonly policy: JsonValue
  /** Certificates of roots beside AMD's, DER or PEM; whatever ends in one is SIMULATED. */
  readonly roots: readonly Uint8Array[]
}
