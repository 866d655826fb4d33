import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { canonicalBytes, concatBytes, type JsonValue } from '@parley/protocol'
import { RelayError } from '../relay-error.js'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const LENGTH_BYTES = 4
const LEAST_CLASS_BYTES = 1024
const CLASS_STEP = 4

/** A key of 32 octets for one use, so that no key serves two algorithms. */
export function deriveKey(
  sealingKey: Uint8Array,
  use: 'record-name' | 'record-value' | 'record-mark',
): Uint8Array {
  const empty = new Uint8Array(0)
  return new Uint8Array(hkdfSync('sha256', sealingKey, empty, `parley/v1/store/${use}`, KEY_BYTES))
}

/**
 * Seals a value under the place where it stands: nonce ‖ ciphertext ‖ tag. It is padded to 1 KiB · 4^n first: the
 * disk belongs to the host, and the length of an input or of an output would tell of it.
 */
export function sealRecord(
  key: Uint8Array,
  place: JsonValue,
  value: Uint8Array,
  nonce: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(ALGORITHM, key, nonce)
  cipher.setAAD(canonicalBytes(place))
  return concatBytes(nonce, cipher.update(pad(value)), cipher.final(), cipher.getAuthTag())
}

/**
 * Opens what {@link sealRecord} made for the same place.
 * @throws RelayError `record_altered`
 */
export function openRecord(key: Uint8Array, place: JsonValue, sealed: Uint8Array): Uint8Array {
  if (sealed.length < NONCE_BYTES + LENGTH_BYTES + TAG_BYTES) throw altered()
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES))
  decipher.setAAD(canonicalBytes(place))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const padded = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES))
  try {
    decipher.final()
  } catch {
    throw altered()
  }
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0)
  return new Uint8Array(padded.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
}

function pad(value: Uint8Array): Uint8Array {
  const bytes = LENGTH_BYTES + value.length
  let size = LEAST_CLASS_BYTES
  while (size < bytes) size *= CLASS_STEP
  const padded = new Uint8Array(size)
  new DataView(padded.buffer).setUint32(0, value.length)
  padded.set(value, LENGTH_BYTES)
  return padded
}

const altered = (): RelayError => new RelayError('record_altered', 'a sealed record does not open')
