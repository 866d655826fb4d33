import { aeadOpen, aeadSeal } from '#crypto'
import { concatBytes, toHex } from './bytes.js'
import type { AeadId } from './crypto-port.js'
import { ProtocolError } from './errors.js'
import {
  AEAD_AES_128_GCM,
  AEAD_CHACHA20_POLY1305,
  AEAD_KEY_BYTES,
  AEAD_NONCE_BYTES,
  hpkeSuiteId,
} from './hpke-suite.js'
import { kdfLabel, labeledExpand, labeledExtract } from './labeled-kdf.js'

/** Largest output of HKDF-SHA256. */
const MAX_EXPORT_BYTES = 255 * 32
const EXPORTER_BYTES = 32
const MAX_KNOWN_CONTEXTS = 64

const EMPTY = new Uint8Array(0)
const MODE_BASE = Uint8Array.of(0x00)

/** What the key schedule of one suite always begins with. */
const schedulePrefix = (suiteId: Uint8Array) => ({
  modeAndPskIdHash: concatBytes(MODE_BASE, labeledExtract(EMPTY, kdfLabel(suiteId, 'psk_id_hash'), EMPTY)),
  infoHash: kdfLabel(suiteId, 'info_hash'),
  secret: kdfLabel(suiteId, 'secret'),
  key: kdfLabel(suiteId, 'key'),
  baseNonce: kdfLabel(suiteId, 'base_nonce'),
  exporter: kdfLabel(suiteId, 'exp'),
  exported: kdfLabel(suiteId, 'sec'),
})

const SUITES = {
  [AEAD_AES_128_GCM]: schedulePrefix(hpkeSuiteId(AEAD_AES_128_GCM)),
  [AEAD_CHACHA20_POLY1305]: schedulePrefix(hpkeSuiteId(AEAD_CHACHA20_POLY1305)),
}

/** The keys of one HPKE context; every call of seal or open that succeeds takes the next nonce. */
export type HpkeContext = {
  readonly seal: (aad: Uint8Array, plaintext: Uint8Array) => Uint8Array
  readonly open: (aad: Uint8Array, ciphertext: Uint8Array) => Uint8Array
  readonly exportSecret: (context: Uint8Array, length: number) => Uint8Array
}

/**
 * The key schedule of base mode.
 * @see RFC 9180 §5.1, §5.2, §5.3
 */
export const keySchedule = (aead: AeadId, sharedSecret: Uint8Array, info: Uint8Array): HpkeContext => {
  const suite = SUITES[aead]
  const context = scheduleContext(aead, info)
  const secret = labeledExtract(sharedSecret, suite.secret, EMPTY)
  const key = labeledExpand(secret, suite.key, context, AEAD_KEY_BYTES[aead])
  const nonces = nonceSequence(labeledExpand(secret, suite.baseNonce, context, AEAD_NONCE_BYTES))
  return {
    seal: (aad, plaintext) => {
      const sealed = aeadSeal(aead, key, nonces.current(), aad, plaintext)
      nonces.advance()
      return sealed
    },
    open: (aad, ciphertext) => {
      const opened = aeadOpen(aead, key, nonces.current(), aad, ciphertext)
      if (opened === undefined) throw new ProtocolError('hpke_failed', 'ciphertext is not authentic')
      nonces.advance()
      return opened
    },
    exportSecret: (exporterContext, length) => {
      if (!Number.isInteger(length) || length < 0 || length > MAX_EXPORT_BYTES)
        throw new ProtocolError('hpke_failed', 'export length is out of range')
      const exporter = labeledExpand(secret, suite.exporter, context, EXPORTER_BYTES)
      return labeledExpand(exporter, suite.exported, exporterContext, length)
    },
  }
}

// A gateway sees the same few infos for ever, and this is one of its four HMACs in the schedule.
const knownContexts = new Map<string, Uint8Array>()

/** mode ‖ psk_id_hash ‖ info_hash. */
const scheduleContext = (aead: AeadId, info: Uint8Array): Uint8Array => {
  const name = `${aead}:${toHex(info)}`
  const known = knownContexts.get(name)
  if (known !== undefined) return known
  const suite = SUITES[aead]
  const context = concatBytes(suite.modeAndPskIdHash, labeledExtract(EMPTY, suite.infoHash, info))
  if (knownContexts.size >= MAX_KNOWN_CONTEXTS) knownContexts.clear()
  knownContexts.set(name, context)
  return context
}

/** base_nonce XOR I2OSP(seq, 12). */
const nonceSequence = (baseNonce: Uint8Array) => {
  let sequence = 0
  return {
    current: (): Uint8Array => {
      const nonce = Uint8Array.from(baseNonce)
      // The low 48 bits; advance ends the context long before more are needed.
      for (let i = 0, rest = sequence; i < 6; i++, rest = Math.floor(rest / 256))
        nonce[11 - i] = (nonce[11 - i] ?? 0) ^ (rest % 256)
      return nonce
    },
    advance: (): void => {
      if (++sequence > 0xffff_ffff) throw new ProtocolError('hpke_failed', 'the context is used up')
    },
  }
}
