import { x25519FromBytes, x25519Generate } from '#crypto'
import { concatBytes } from './bytes.js'
import type { AeadId, X25519PrivateKey } from './crypto-port.js'
import { ProtocolError } from './errors.js'
import { type HpkeContext, keySchedule } from './hpke-context.js'
import { KEM_SUITE_ID, X25519_KEY_BYTES } from './hpke-suite.js'
import { kdfLabel, labeledExpand, labeledExtract } from './labeled-kdf.js'

export type { X25519PrivateKey }

const EMPTY = new Uint8Array(0)
const SHARED_SECRET_BYTES = 32
const EAE_PRK = kdfLabel(KEM_SUITE_ID, 'eae_prk')
const SHARED_SECRET = kdfLabel(KEM_SUITE_ID, 'shared_secret')

/** The sender's end of an HPKE context. */
export type HpkeSender = Pick<HpkeContext, 'seal' | 'exportSecret'> & {
  /** The encapsulated key, 32 bytes. */
  readonly enc: Uint8Array
}

/** The receiver's end of an HPKE context. */
export type HpkeReceiver = Pick<HpkeContext, 'open' | 'exportSecret'>

/** What the sender's set-up takes. */
export type SenderSetup = {
  /** The receiver's X25519 key, 32 bytes. */
  readonly publicKey: Uint8Array
  readonly info: Uint8Array
  readonly aead: AeadId
  /** The ephemeral X25519 private key, 32 bytes; drawn if not given, and given only to repeat a vector. */
  readonly ephemeralSeed?: Uint8Array
}

/** What the receiver's set-up takes. */
export type ReceiverSetup = {
  readonly privateKey: X25519PrivateKey
  /** The encapsulated key, 32 bytes. */
  readonly enc: Uint8Array
  readonly info: Uint8Array
  readonly aead: AeadId
}

/**
 * Imports an X25519 private key of 32 bytes.
 * @throws ProtocolError `key_refused` on another size.
 * @see RFC 7748 §5
 */
export const x25519PrivateKey = (bytes: Uint8Array): X25519PrivateKey => {
  if (bytes.length !== X25519_KEY_BYTES)
    throw new ProtocolError('key_refused', `an X25519 key has ${X25519_KEY_BYTES} bytes, not ${bytes.length}`)
  return x25519FromBytes(bytes)
}

/**
 * SetupBaseS over DHKEM(X25519, HKDF-SHA256) and HKDF-SHA256.
 * @throws ProtocolError `hpke_failed` if the receiver's key is not 32 bytes or of low order.
 * @see RFC 9180 §5.1.1
 */
export const setupSender = ({ publicKey, info, aead, ephemeralSeed }: SenderSetup): HpkeSender => {
  const ephemeral = ephemeralSeed === undefined ? x25519Generate() : x25519PrivateKey(ephemeralSeed)
  const enc = ephemeral.publicKey
  const sharedSecret = kemSecret(ephemeral, publicKey, concatBytes(enc, publicKey))
  const { seal, exportSecret } = keySchedule(aead, sharedSecret, info)
  return { enc, seal, exportSecret }
}

/**
 * SetupBaseR over DHKEM(X25519, HKDF-SHA256) and HKDF-SHA256.
 * @throws ProtocolError `hpke_failed` if `enc` is not 32 bytes or of low order.
 * @see RFC 9180 §5.1.1
 */
export const setupReceiver = ({ privateKey, enc, info, aead }: ReceiverSetup): HpkeReceiver => {
  const sharedSecret = kemSecret(privateKey, enc, concatBytes(enc, privateKey.publicKey))
  const { open, exportSecret } = keySchedule(aead, sharedSecret, info)
  return { open, exportSecret }
}

/** ExtractAndExpand(dh, kem_context). @see RFC 9180 §4.1 */
const kemSecret = (own: X25519PrivateKey, peer: Uint8Array, kemContext: Uint8Array): Uint8Array => {
  const dh = peer.length === X25519_KEY_BYTES ? own.agree(peer) : undefined
  // RFC 9180 §7.1.4: an all-zero shared secret would be known to everyone.
  if (dh === undefined) throw new ProtocolError('hpke_failed', 'the public key is not usable')
  return labeledExpand(labeledExtract(EMPTY, EAE_PRK, dh), SHARED_SECRET, kemContext, SHARED_SECRET_BYTES)
}
