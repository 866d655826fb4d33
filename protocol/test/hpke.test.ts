import { Aes128Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex, utf8 } from '../src/bytes.js'
import { setupReceiver, setupSender, x25519PrivateKey } from '../src/hpke.js'
import { AEAD_AES_128_GCM, AEAD_CHACHA20_POLY1305, type AeadId } from '../src/hpke-suite.js'
import { codeOf } from './code-of.js'

const EMPTY = new Uint8Array(0)
const INFO = utf8('info')
const privateKey = x25519PrivateKey(new Uint8Array(32).fill(8))
const { publicKey } = privateKey

/** The AEAD that is not the given one. */
const otherThan = (aead: AeadId): AeadId =>
  aead === AEAD_AES_128_GCM ? AEAD_CHACHA20_POLY1305 : AEAD_AES_128_GCM

const pair = (aead: AeadId, info = INFO) => {
  const sender = setupSender({ publicKey, info, aead })
  return { sender, receiver: setupReceiver({ privateKey, enc: sender.enc, info, aead }) }
}

describe.each([AEAD_AES_128_GCM, AEAD_CHACHA20_POLY1305] as const)('HPKE with AEAD %i', (aead) => {
  it('opens in order what was sealed, and both ends export the same', () => {
    const message = fc.tuple(fc.uint8Array(), fc.uint8Array())
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(message, { maxLength: 5 }), (info, messages) => {
        const { sender, receiver } = pair(aead, info)
        for (const [aad, plaintext] of messages)
          expect(toHex(receiver.open(aad, sender.seal(aad, plaintext)))).toBe(toHex(plaintext))
        expect(toHex(sender.exportSecret(info, 48))).toBe(toHex(receiver.exportSecret(info, 48)))
      }),
      { numRuns: 30 },
    )
  })

  it('a message out of order is refused, and the one in order still opens', () => {
    const { sender, receiver } = pair(aead)
    const [first, second] = [sender.seal(EMPTY, utf8('1')), sender.seal(EMPTY, utf8('2'))]
    expect(codeOf(() => receiver.open(EMPTY, second))).toBe('hpke_failed')
    expect(receiver.open(EMPTY, first)).toEqual(utf8('1'))
    expect(codeOf(() => receiver.open(EMPTY, first))).toBe('hpke_failed')
    expect(receiver.open(EMPTY, second)).toEqual(utf8('2'))
  })

  it('carries the sequence number beyond one octet', () => {
    const { sender, receiver } = pair(aead)
    for (let i = 0; i < 300; i++) expect(receiver.open(EMPTY, sender.seal(EMPTY, EMPTY))).toEqual(EMPTY)
  })

  it.each([
    ['another info', { info: utf8('other') }],
    ['another key', { privateKey: x25519PrivateKey(new Uint8Array(32).fill(9)) }],
    ['another enc', { enc: publicKey }],
    ['another AEAD', { aead: otherThan(aead) }],
  ])('%s opens nothing: hpke_failed', (_, changed) => {
    const sender = setupSender({ publicKey, info: INFO, aead })
    const receiver = setupReceiver({ privateKey, enc: sender.enc, info: INFO, aead, ...changed })
    expect(codeOf(() => receiver.open(EMPTY, sender.seal(EMPTY, INFO)))).toBe('hpke_failed')
  })

  it.each([
    ['a point of order one', fromHex(`01${'00'.repeat(31)}`)],
    ['zero', new Uint8Array(32)],
    ['31 bytes', new Uint8Array(31).fill(9)],
    ['33 bytes', new Uint8Array(33).fill(9)],
  ])('%s is no public key and no enc: hpke_failed', (_, point) => {
    expect(codeOf(() => setupSender({ publicKey: point, info: INFO, aead }))).toBe('hpke_failed')
    expect(codeOf(() => setupReceiver({ privateKey, enc: point, info: INFO, aead }))).toBe('hpke_failed')
  })

  it.each([-1, 0.5, 255 * 32 + 1, NaN])('an export of %d bytes is refused', (length) => {
    expect(codeOf(() => pair(aead).sender.exportSecret(EMPTY, length))).toBe('hpke_failed')
  })
})

describe('x25519PrivateKey', () => {
  it.each([0, 31, 33])('%i bytes are refused as key_refused', (length) => {
    expect(codeOf(() => x25519PrivateKey(new Uint8Array(length)))).toBe('key_refused')
  })
})

describe('beside @hpke/core', () => {
  const suite = new CipherSuite({
    kem: new DhkemX25519HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  })
  const arrayBuffer = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer

  it('what we seal it opens, and the exported secrets are the same', async () => {
    const sender = setupSender({ publicKey, info: INFO, aead: AEAD_AES_128_GCM })
    const recipientKey = await suite.kem.importKey('raw', arrayBuffer(new Uint8Array(32).fill(8)), false)
    const peer = await suite.createRecipientContext({
      recipientKey,
      enc: arrayBuffer(sender.enc),
      info: arrayBuffer(INFO),
    })
    for (const text of ['first', 'second']) {
      const sealed = sender.seal(utf8('aad'), utf8(text))
      expect(new Uint8Array(await peer.open(arrayBuffer(sealed), arrayBuffer(utf8('aad'))))).toEqual(
        utf8(text),
      )
    }
    const exported = new Uint8Array(await peer.export(arrayBuffer(utf8('context')), 50))
    expect(toHex(exported)).toBe(toHex(sender.exportSecret(utf8('context'), 50)))
  })

  it('what it seals we open', async () => {
    const recipientPublicKey = await suite.kem.importKey('raw', arrayBuffer(publicKey), true)
    const peer = await suite.createSenderContext({ recipientPublicKey, info: arrayBuffer(INFO) })
    const receiver = setupReceiver({
      privateKey,
      enc: new Uint8Array(peer.enc),
      info: INFO,
      aead: AEAD_AES_128_GCM,
    })
    for (const text of ['first', 'second']) {
      const sealed = new Uint8Array(await peer.seal(arrayBuffer(utf8(text)), arrayBuffer(EMPTY)))
      expect(toHex(receiver.open(EMPTY, sealed))).toBe(toHex(utf8(text)))
    }
  })
})
