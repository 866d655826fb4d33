import { fromBase64url, keysetDigest, utf8 } from '@parley/protocol'
import type { Judged } from './judged.js'

/** IANA's enterprise number of AMD. */
const AMD = 3704

/** What an EAT says, before it is JSON or CBOR. Times in Unix seconds. */
export type EatClaims = {
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly nonces: readonly Uint8Array[]
  /** Ed25519, 32 bytes: the key that this evidence is about. */
  readonly receiptKey: Uint8Array
  readonly hardware: EatHardware | null
  readonly relay: {
    readonly name: string
    readonly version: string
    readonly lane: string
    readonly keysetDigest: string
  }
}

/** What an EAT says of a secure processor. */
export type EatHardware = {
  /** Null where the processor is simulated. */
  readonly oem: number | null
  /** UTF-8. */
  readonly model: Uint8Array
  readonly debug: boolean
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
}

/**
 * The evidence of a judged file in the words of an EAT. It is a view: what proves it is the report inside, not this
 * claim set. Null where the verdict says that nothing holds, since nobody should sign that again.
 * @see RFC 9711 §4.2
 */
export const eatClaims = (judged: Judged): EatClaims | null => {
  const { verdict, evidence, nonces, at } = judged
  if (evidence === null || verdict.assurance_level === null) return null
  const { keyset } = evidence
  return {
    iat: at,
    nbf: keyset.not_before,
    exp: keyset.not_after,
    nonces: nonces.map((nonce) => fromBase64url(nonce, 32)),
    receiptKey: fromBase64url(keyset.receipt_key, 32),
    hardware: hardwareOf(judged),
    relay: {
      name: 'parley',
      version: keyset.release.version,
      lane: keyset.lane,
      keysetDigest: keysetDigest(keyset),
    },
  }
}

const hardwareOf = ({ verdict: { simulated }, hardware }: Judged): EatHardware | null => {
  if (hardware === null) return null
  const { product, view, report } = hardware
  return {
    oem: simulated ? null : AMD,
    model: utf8(simulated ? `SIMULATED ${product}` : product),
    debug: view.policy.debug,
    report,
  }
}

/** CoAP's number of `application/octet-stream`: by our profile an ATTESTATION_REPORT of AMD 56860. */
export const REPORT_FORMAT = 42
