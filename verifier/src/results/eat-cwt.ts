import { type Ed25519PublicKey, ProtocolError } from '@parley/protocol'
import { type CborMap, type CborValue, decodeCbor, encodeCbor } from './cbor.js'
import { openCose, signCose } from './cose-sign1.js'
import { type EatClaims, type EatHardware, REPORT_FORMAT } from './eat-claims.js'
import { EAT_PROFILE } from './profiles.js'
import type { Signer } from './signer.js'

const MEDIA_TYPE = 'application/eat+cwt'

/** IANA, CBOR Web Token Claims. */
const CLAIM = {
  exp: 4,
  nbf: 5,
  iat: 6,
  cnf: 8,
  eat_nonce: 10,
  oemid: 258,
  hwmodel: 259,
  dbgstat: 263,
  eat_profile: 265,
  submods: 266,
  swname: 270,
  swversion: 271,
  measurements: 273,
} as const

/** RFC 9711 §4.2.9. */
const DEBUG = { enabled: 0, disabledSinceBoot: 2 } as const

/** `cnf` holds a COSE_Key (RFC 8747 §3.2) of OKP, Ed25519 (RFC 9053 §7). */
const COSE_KEY = { inCnf: 1, kty: 1, crv: -1, x: -2, okp: 1, ed25519: 6 } as const

type Entry = readonly [number | string, CborValue]

/** An EAT as the claims set of a CWT, deterministically encoded. */
const eatCbor = ({ iat, nbf, exp, nonces, receiptKey, hardware, relay }: EatClaims): Uint8Array =>
  encodeCbor(
    new Map<number | string, CborValue>([
      [CLAIM.eat_profile, EAT_PROFILE],
      [CLAIM.iat, iat],
      [CLAIM.nbf, nbf],
      [CLAIM.exp, exp],
      ...nonceClaim(nonces),
      [CLAIM.cnf, confirmation(receiptKey)],
      ...(hardware === null ? [] : hardwareClaims(hardware)),
      [CLAIM.submods, new Map([['relay', relayClaims(relay)]])],
    ]),
  )

/**
 * An EAT as a CWT in a COSE_Sign1, `application/eat+cwt`. Who signs is who made this view: the evidence itself is the
 * report inside.
 * @see RFC 8392, RFC 9711, RFC 9052 §4.2
 */
export const signEatCwt = (claims: EatClaims, signer: Signer): Promise<Uint8Array> =>
  signCose(MEDIA_TYPE, eatCbor(claims), signer)

/**
 * The claims of a CWT of this profile, by their numbers, once the signature holds. Says nothing about the evidence.
 * @param bytes at most 64 KiB, deterministically encoded
 * @throws ProtocolError `too_large`, `encoding_malformed`, `signature_invalid`
 */
export const openEatCwt = (bytes: Uint8Array, key: Ed25519PublicKey): CborMap => {
  const claims = decodeCbor(openCose(MEDIA_TYPE, bytes, key))
  if (claims instanceof Map && claims.get(CLAIM.eat_profile) === EAT_PROFILE) return claims
  throw new ProtocolError('encoding_malformed', 'CWT: eat_profile is another one')
}

// One nonce stands alone; an array has two or more.
const nonceClaim = ([first, ...others]: readonly Uint8Array[]): readonly Entry[] => {
  if (first === undefined) return []
  return [[CLAIM.eat_nonce, others.length === 0 ? first : [first, ...others]]]
}

const confirmation = (key: Uint8Array): CborMap =>
  new Map([
    [
      COSE_KEY.inCnf,
      new Map<number, CborValue>([
        [COSE_KEY.kty, COSE_KEY.okp],
        [COSE_KEY.crv, COSE_KEY.ed25519],
        [COSE_KEY.x, key],
      ]),
    ],
  ])

const hardwareClaims = ({ oem, model, debug, report }: EatHardware): readonly Entry[] => [
  ...(oem === null ? [] : [[CLAIM.oemid, oem] as const]),
  [CLAIM.hwmodel, model],
  [CLAIM.dbgstat, debug ? DEBUG.enabled : DEBUG.disabledSinceBoot],
  [CLAIM.measurements, [[REPORT_FORMAT, report]]],
]

const relayClaims = ({ name, version, lane, keysetDigest }: EatClaims['relay']): CborMap =>
  new Map<number | string, CborValue>([
    [CLAIM.swname, name],
    [CLAIM.swversion, [version]],
    ['parley.lane', lane],
    ['parley.keyset_digest', keysetDigest],
  ])
