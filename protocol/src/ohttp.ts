import { randomBytes } from '#crypto'
import { concatBytes, equalBytes } from './bytes.js'
import type { AeadId, X25519PrivateKey } from './crypto-port.js'
import { ProtocolError } from './errors.js'
import { setupReceiver, setupSender, x25519PrivateKey } from './hpke.js'
import {
  AEAD_AES_128_GCM,
  AEAD_CHACHA20_POLY1305,
  AEAD_TAG_BYTES,
  KDF_HKDF_SHA256,
  KEM_X25519_HKDF_SHA256,
  X25519_KEY_BYTES,
} from './hpke-suite.js'
import type { KeyConfig } from './key-config.js'
import { chooseAead, HEADER_BYTES, requestHeader, requestInfo } from './ohttp-header.js'
import { openResponse, responseNonceBytes, sealResponse } from './ohttp-response.js'

const EMPTY = new Uint8Array(0)
const CIPHERTEXT_AT = HEADER_BYTES + X25519_KEY_BYTES

/** The client's end of one request and its response. */
export type OhttpRequest = {
  /** The encapsulated key, 32 bytes; known before sealing, so that the request inside can be bound to it. */
  readonly enc: Uint8Array
  /** The encapsulated request around binary HTTP bytes. One request is sealed, never a second. */
  readonly seal: (bhttp: Uint8Array) => Uint8Array
  /** The binary HTTP bytes of an encapsulated response to this request. */
  readonly open: (message: Uint8Array) => Uint8Array
}

/** The gateway's end of one request and its response. */
export type OpenedRequest = {
  /** The encapsulated key, 32 bytes; unique for each honest request, and so what replay is detected by. */
  readonly enc: Uint8Array
  readonly keyId: number
  readonly aead: AeadId
  /** The binary HTTP bytes of the request. */
  readonly bhttp: Uint8Array
  /** The encapsulated response around binary HTTP bytes. The nonce is drawn if not given. */
  readonly sealResponse: (bhttp: Uint8Array, responseNonce?: Uint8Array) => Uint8Array
}

/** A gateway's private key and the configuration that it publishes. */
export type GatewayKey = { readonly config: KeyConfig; readonly privateKey: X25519PrivateKey }

/**
 * A fresh gateway key for both suites.
 * @param keyId one octet
 * @throws ProtocolError `key_refused` if it is not one.
 */
export const generateGatewayKey = (keyId: number): GatewayKey =>
  gatewayKeyFromBytes(keyId, randomBytes(X25519_KEY_BYTES))

/**
 * The gateway key of an X25519 private key of 32 bytes.
 * @throws ProtocolError `key_refused` on another size, or a key id that is not one octet.
 */
export const gatewayKeyFromBytes = (keyId: number, bytes: Uint8Array): GatewayKey => {
  if (!Number.isInteger(keyId) || keyId < 0 || keyId > 255)
    throw new ProtocolError('key_refused', 'a key id is one octet')
  const privateKey = x25519PrivateKey(bytes)
  const suites = [AEAD_AES_128_GCM, AEAD_CHACHA20_POLY1305].map((aeadId) => ({
    kdfId: KDF_HKDF_SHA256,
    aeadId,
  }))
  return {
    privateKey,
    config: { keyId, kemId: KEM_X25519_HKDF_SHA256, publicKey: privateKey.publicKey, suites },
  }
}

/**
 * Begins a request to the gateway of a key configuration.
 * @param options `aead`: the wanted AEAD, else the first that both speak; `ephemeralSeed`: the ephemeral
 * X25519 private key of 32 bytes, given only to repeat a vector
 * @throws ProtocolError `ohttp_key_unknown` if the configuration has no suite in common with us.
 * @throws ProtocolError `hpke_failed` if its key is of low order; from `seal`, on a second request; from
 * `open`, if the response is not authentic.
 * @throws ProtocolError `ohttp_malformed` from `open`, on a message too short to be a response.
 * @see RFC 9458 §4.3, §4.4
 */
export const startRequest = (
  config: KeyConfig,
  options: { readonly aead?: AeadId; readonly ephemeralSeed?: Uint8Array } = {},
): OhttpRequest => {
  const aead = chooseAead(config, options.aead)
  const header = requestHeader(config.keyId, aead)
  const setup = { publicKey: config.publicKey, info: requestInfo(header), aead }
  const { ephemeralSeed } = options
  const sender = setupSender(ephemeralSeed === undefined ? setup : { ...setup, ephemeralSeed })
  const { enc, exportSecret } = sender
  let sealed = false
  return {
    enc,
    seal: (bhttp) => {
      // The gateway opens with the first nonce only; a second request would be lost, not refused here.
      if (sealed) throw new ProtocolError('hpke_failed', 'an encapsulation carries one request')
      sealed = true
      return concatBytes(header, enc, sender.seal(EMPTY, bhttp))
    },
    open: (message) => openResponse({ aead, enc, exportSecret }, message),
  }
}

/**
 * Opens an encapsulated request.
 * @throws ProtocolError `ohttp_malformed` if it is too short.
 * @throws ProtocolError `ohttp_key_unknown` if key id or algorithms are not the gateway's.
 * @throws ProtocolError `hpke_failed` if it is not authentic.
 * @see RFC 9458 §4.3
 */
export const openRequest = ({ config, privateKey }: GatewayKey, message: Uint8Array): OpenedRequest => {
  if (message.length < CIPHERTEXT_AT + AEAD_TAG_BYTES)
    throw new ProtocolError('ohttp_malformed', `an encapsulated request of ${message.length} bytes`)
  const header = message.subarray(0, HEADER_BYTES)
  const aead = chooseAead(config, ((header[5] ?? 0) << 8) | (header[6] ?? 0))
  if (!equalBytes(header, requestHeader(config.keyId, aead)))
    throw new ProtocolError('ohttp_key_unknown', 'the request is for another key')
  // A copy: the caller keeps it as a replay key after the message is gone.
  const enc = message.slice(HEADER_BYTES, CIPHERTEXT_AT)
  const { open, exportSecret } = setupReceiver({ privateKey, enc, info: requestInfo(header), aead })
  return {
    enc,
    keyId: config.keyId,
    aead,
    bhttp: open(EMPTY, message.subarray(CIPHERTEXT_AT)),
    sealResponse: (bhttp, responseNonce = randomBytes(responseNonceBytes(aead))) =>
      sealResponse({ aead, enc, exportSecret }, bhttp, responseNonce),
  }
}
