import { ed25519FromSeed, ed25519Verify, randomBytes } from '#crypto'
import { brand, type Brand } from './brand.js'
import { toHex } from './bytes.js'
import { pointDefect } from './ed25519-point.js'
import { ProtocolError } from './errors.js'

const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const MAX_REMEMBERED = 512

/** 32 bytes that are a point of the curve in its one encoding, and not of small order. */
export type Ed25519PublicKey = Brand<Uint8Array, 'Ed25519PublicKey'>

/** A key that signs and cannot be read. */
export type SigningKey = {
  readonly publicKey: Ed25519PublicKey
  /** The Ed25519 signature of the message, 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

// The curve check costs about 200 µs of big integers; keys that passed come back often.
const passed = new Set<string>()

/**
 * Accepts the 32 bytes of a public key.
 * @throws ProtocolError `key_refused` on another size, a y of p or more, a point off the curve or of small
 * order (such a key verifies messages that nobody signed).
 * @see RFC 8032 §5.1.3
 */
export const parseEd25519PublicKey = (bytes: Uint8Array): Ed25519PublicKey => {
  if (bytes.length !== KEY_BYTES)
    throw new ProtocolError('key_refused', `an Ed25519 key has ${KEY_BYTES} bytes, not ${bytes.length}`)
  const name = toHex(bytes)
  if (!passed.has(name)) remember(name, pointDefect(bytes))
  return brand(bytes)
}

const remember = (name: string, defect: string | undefined): void => {
  if (defect !== undefined) throw new ProtocolError('key_refused', `Ed25519 key: ${defect}`)
  if (passed.size >= MAX_REMEMBERED) passed.clear()
  passed.add(name)
}

/** A fresh signing key. */
export const generateSigningKey = (): SigningKey => signingKeyFromSeed(randomBytes(KEY_BYTES))

/**
 * The signing key of a 32-byte seed.
 * @throws ProtocolError `key_refused` on another size.
 * @see RFC 8032 §5.1.5
 */
export const signingKeyFromSeed = (seed: Uint8Array): SigningKey => {
  if (seed.length !== KEY_BYTES)
    throw new ProtocolError('key_refused', `an Ed25519 seed has ${KEY_BYTES} bytes, not ${seed.length}`)
  const { publicKey, sign } = ed25519FromSeed(seed)
  // Not checked again: a clamped scalar times the base point is never of small order.
  return { publicKey: brand(publicKey), sign }
}

/**
 * Verifies strictly: S below the group order, R compared byte for byte, no cofactor.
 * @param signature 64 bytes; every other size is invalid
 * @see RFC 8032 §5.1.7
 */
export const verifyEd25519 = (
  publicKey: Ed25519PublicKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => signature.length === SIGNATURE_BYTES && ed25519Verify(publicKey, message, signature)
