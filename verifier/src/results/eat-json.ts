import { type JsonObject, toBase64url } from '@parley/protocol'
import { type EatClaims, type EatHardware, REPORT_FORMAT } from './eat-claims.js'
import { EAT_PROFILE } from './profiles.js'

/**
 * An unsecured claims set, `application/eat-ucs+json`.
 * @see RFC 9711 §7.2.2 (byte strings are base64url, `dbgstat` is text); RFC 9782 §2
 */
export const eatJson = ({ iat, nbf, exp, nonces, receiptKey, hardware, relay }: EatClaims): JsonObject => ({
  eat_profile: EAT_PROFILE,
  iat,
  nbf,
  exp,
  ...nonceClaim(nonces.map(toBase64url)),
  cnf: { jwk: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(receiptKey) } },
  ...(hardware === null ? {} : hardwareClaims(hardware)),
  submods: {
    relay: {
      swname: relay.name,
      swversion: [relay.version],
      'parley.lane': relay.lane,
      'parley.keyset_digest': relay.keysetDigest,
    },
  },
})

// One nonce stands alone; an array has two or more.
const nonceClaim = ([first, ...others]: readonly string[]): JsonObject => {
  if (first === undefined) return {}
  return { eat_nonce: others.length === 0 ? first : [first, ...others] }
}

const hardwareClaims = ({ oem, model, debug, report }: EatHardware): JsonObject => ({
  ...(oem === null ? {} : { oemid: oem }),
  hwmodel: toBase64url(model),
  // A guest's policy is fixed when it is launched.
  dbgstat: debug ? 'enabled' : 'disabled-since-boot',
  measurements: [[REPORT_FORMAT, toBase64url(report)]],
})
