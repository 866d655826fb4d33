import { isZero } from '../equal-bytes.js'
import { sha384 } from '../measure/sha384.js'

const KEY_BYTES = 0x404
const CURVE_P384 = 2
const FIELD_BYTES = 72
const COORDINATE_BYTES = 48
const X_AT = 4
const Y_AT = X_AT + FIELD_BYTES
const REST_AT = Y_AT + FIELD_BYTES
const UNCOMPRESSED = 0x04

// Little-endian and 72 bytes wide in AMD's structures, big-endian and 48 in a point.
const turned = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes).reverse()

/**
 * A P-384 key as AMD's structures hold it: curve, x and y little-endian in 72 bytes each, then zeros; 0x404 bytes.
 * @param point uncompressed, 97 bytes
 * @see AMD 56860, ECDSA public key
 */
export const encodeAmdKey = (point: Uint8Array): Uint8Array => {
  const key = new Uint8Array(KEY_BYTES)
  key[0] = CURVE_P384
  key.set(turned(point.subarray(1, 1 + COORDINATE_BYTES)), X_AT)
  key.set(turned(point.subarray(1 + COORDINATE_BYTES)), Y_AT)
  return key
}

/** The uncompressed point of such a key, or null where it is none in its one encoding. */
export const decodeAmdKey = (key: Uint8Array): Uint8Array | null => {
  const curve = key[0] === CURVE_P384 && isZero(key.subarray(1, X_AT))
  const paddings = [
    key.subarray(X_AT + COORDINATE_BYTES, Y_AT),
    key.subarray(Y_AT + COORDINATE_BYTES, REST_AT),
    key.subarray(REST_AT),
  ]
  if (key.length !== KEY_BYTES || !curve || !paddings.every((padding) => isZero(padding))) return null
  const point = new Uint8Array(1 + 2 * COORDINATE_BYTES)
  point[0] = UNCOMPRESSED
  point.set(turned(key.subarray(X_AT, X_AT + COORDINATE_BYTES)), 1)
  point.set(turned(key.subarray(Y_AT, Y_AT + COORDINATE_BYTES)), 1 + COORDINATE_BYTES)
  return point
}

/** SHA-384 over the whole structure: what ID_KEY_DIGEST and AUTHOR_KEY_DIGEST hold. Not over a SubjectPublicKeyInfo. */
export const amdKeyDigest = (key: Uint8Array): Promise<Uint8Array> => sha384(key)
