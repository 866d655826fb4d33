import { type Ed25519PublicKey, fromBase64url, ProtocolError, verifyEd25519 } from '@parley/protocol'
import { type CborMap, CborTag, type CborValue, decodeCbor, encodeCbor } from './cbor.js'
import type { Signer } from './signer.js'

/** The CBOR tag of a COSE_Sign1 (RFC 9052 §2). */
const COSE_SIGN1 = 18
/** Header parameters: RFC 9052 §3.1, RFC 9596 §2. */
const HEADER = { alg: 1, kid: 4, typ: 16 } as const
/** RFC 9053 §2. */
const ALGORITHMS = { EdDSA: -8, ES256: -7 } as const
const EMPTY = new Uint8Array(0)

/**
 * Signs a payload; every header parameter is protected.
 * @param typ the media type of the whole
 * @see RFC 9052 §4.2
 */
export const signCose = async (typ: string, payload: Uint8Array, signer: Signer): Promise<Uint8Array> => {
  const header = encodeCbor(
    new Map<number, CborValue>([
      [HEADER.alg, ALGORITHMS[signer.alg]],
      [HEADER.kid, fromBase64url(signer.keyId, 32)],
      [HEADER.typ, typ],
    ]),
  )
  const signature = await signer.sign(toBeSigned(header, payload))
  return encodeCbor(new CborTag(COSE_SIGN1, [header, new Map(), payload, signature]))
}

const toBeSigned = (header: Uint8Array, payload: Uint8Array): Uint8Array =>
  encodeCbor(['Signature1', header, EMPTY, payload])

/**
 * The payload of a COSE_Sign1 as {@link signCose} makes it, once an Ed25519 key's signature on it holds.
 * @param typ the media type that it has to have
 * @throws ProtocolError `too_large`, `encoding_malformed` on any other form, header or media type;
 * `signature_invalid`
 */
export const openCose = (typ: string, bytes: Uint8Array, key: Ed25519PublicKey): Uint8Array => {
  const { header, payload, signature } = parts(decodeCbor(bytes))
  checkHeader(decodeCbor(header), typ)
  if (!verifyEd25519(key, toBeSigned(header, payload), signature))
    throw new ProtocolError('signature_invalid', 'COSE_Sign1')
  return payload
}

type Parts = { readonly header: Uint8Array; readonly payload: Uint8Array; readonly signature: Uint8Array }

const parts = (value: CborValue): Parts => {
  const items = value instanceof CborTag && value.tag === COSE_SIGN1 ? value.value : null
  if (items === null || !isArray(items) || items.length !== 4) throw malformed('not a tagged COSE_Sign1')
  const [header, unprotected, payload, signature] = items
  if (!(unprotected instanceof Map) || unprotected.size > 0) throw malformed('unprotected header')
  if (
    !(header instanceof Uint8Array) ||
    !(payload instanceof Uint8Array) ||
    !(signature instanceof Uint8Array)
  )
    throw malformed('a part is no byte string')
  return { header, payload, signature }
}

const isArray = (value: CborValue): value is readonly CborValue[] => Array.isArray(value)

const checkHeader = (header: CborValue, typ: string): void => {
  const known: CborMap = header instanceof Map ? header : new Map()
  const kid = known.get(HEADER.kid)
  const complete = known.size === 3 && kid instanceof Uint8Array && kid.length === 32
  if (!complete || known.get(HEADER.alg) !== ALGORITHMS.EdDSA || known.get(HEADER.typ) !== typ)
    throw malformed('protected header')
}

const malformed = (what: string): ProtocolError => new ProtocolError('encoding_malformed', `COSE: ${what}`)
