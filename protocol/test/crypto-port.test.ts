import { createHash, createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../src/bytes.js'
import type { AeadId } from '../src/crypto-port.js'
import * as node from '../src/node/crypto.js'
import * as web from '../src/web/crypto.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const aeads: [AeadId, number][] = [
  [0x0001, 16],
  [0x0003, 32],
]

/** Low-order points of curve25519 (RFC 7748 §6.1): 0, 1, two of order 8, p - 1, p, p + 1. */
const LOW_ORDER = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]

describe('both halves of #crypto', () => {
  it('export the same names', () => {
    expect(Object.keys(web).sort()).toEqual(Object.keys(node).sort())
    expect(Object.keys(node.default).sort()).toEqual(
      Object.keys(node)
        .filter((name) => name !== 'default')
        .sort(),
    )
  })

  it('hash alike, as node:crypto does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        for (const half of [node, web]) {
          expect(toHex(half.sha256(data))).toBe(createHash('sha256').update(data).digest('hex'))
          expect(toHex(half.sha512(data))).toBe(createHash('sha512').update(data).digest('hex'))
        }
      }),
    )
  })

  it('hash text alike, as its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const half of [node, web])
          expect(toHex(half.sha256OfText(text))).toBe(toHex(half.sha256(new TextEncoder().encode(text))))
      }),
    )
  })

  it('extract and expand alike, as node:crypto does', () => {
    const inputs = fc.tuple(
      fc.uint8Array(),
      fc.uint8Array(),
      fc.uint8Array(),
      fc.integer({ min: 1, max: 300 }),
    )
    fc.assert(
      fc.property(inputs, ([salt, material, info, length]) => {
        const wanted = Buffer.from(hkdfSync('sha256', material, salt, info, length)).toString('hex')
        for (const half of [node, web]) {
          const prk = half.hkdfExtract(salt, material)
          expect(toHex(prk)).toBe(createHmac('sha256', salt).update(material).digest('hex'))
          expect(toHex(half.hkdfExpand(prk, info, length))).toBe(wanted)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('agree on X25519 keys and secrets', () => {
    fc.assert(
      fc.property(bytes(32), bytes(32), (own, peer) => {
        const [a, b] = [node.x25519FromBytes(own), web.x25519FromBytes(own)]
        const publicKey = node.x25519FromBytes(peer).publicKey
        expect(toHex(a.publicKey)).toBe(toHex(b.publicKey))
        expect(toHex(a.agree(publicKey) ?? own)).toBe(toHex(b.agree(publicKey) ?? peer))
      }),
      { numRuns: 20 },
    )
  })

  it.each(LOW_ORDER)('give no X25519 secret with the low-order point %s', (point) => {
    const publicKey = Uint8Array.from(Buffer.from(point, 'hex'))
    for (const half of [node, web])
      expect(half.x25519FromBytes(new Uint8Array(32).fill(3)).agree(publicKey)).toBeUndefined()
  })

  it('draw different X25519 keys that agree with one another and with imported ones', () => {
    const imported = node.x25519FromBytes(new Uint8Array(32).fill(7))
    for (const half of [node, web]) {
      const [a, b] = [half.x25519Generate(), half.x25519Generate()]
      expect(a.publicKey).toHaveLength(32)
      expect(toHex(a.publicKey)).not.toBe(toHex(b.publicKey))
      expect(a.agree(b.publicKey)).toEqual(b.agree(a.publicKey))
      expect(toHex(a.agree(imported.publicKey) ?? a.publicKey)).toBe(
        toHex(imported.agree(a.publicKey) ?? b.publicKey),
      )
    }
  })

  it('sign alike, and each verifies', () => {
    fc.assert(
      fc.property(bytes(32), fc.uint8Array(), (seed, message) => {
        const [a, b] = [node.ed25519FromSeed(seed), web.ed25519FromSeed(seed)]
        const signature = a.sign(message)
        expect(toHex(a.publicKey)).toBe(toHex(b.publicKey))
        expect(toHex(b.sign(message))).toBe(toHex(signature))
        for (const half of [node, web]) expect(half.ed25519Verify(a.publicKey, message, signature)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('keep a private key that the caller overwrites', () => {
    for (const half of [node, web]) {
      const seed = new Uint8Array(32).fill(5)
      const [signer, dh] = [half.ed25519FromSeed(seed), half.x25519FromBytes(seed)]
      const peer = half.x25519FromBytes(new Uint8Array(32).fill(6)).publicKey
      const before = [signer.sign(seed.slice()), dh.agree(peer)]
      seed.fill(0)
      expect([signer.sign(new Uint8Array(32).fill(5)), dh.agree(peer)]).toEqual(before)
    }
  })

  it('draw the wanted number of random bytes, more than a page gives at once', () => {
    for (const half of [node, web]) {
      expect(half.randomBytes(200_000)).toHaveLength(200_000)
      expect(toHex(half.randomBytes(32))).not.toBe(toHex(half.randomBytes(32)))
    }
  })

  it.each(aeads)(
    'seal alike with AEAD %i, behind the prefix, and open what the other sealed',
    (aead, keyBytes) => {
      const inputs = fc.tuple(
        bytes(keyBytes),
        bytes(12),
        fc.uint8Array(),
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array(),
      )
      fc.assert(
        fc.property(inputs, ([key, nonce, aad, plaintext, prefix]) => {
          const sealed = node.aeadSeal(aead, key, nonce, aad, plaintext)
          expect(toHex(web.aeadSeal(aead, key, nonce, aad, plaintext))).toBe(toHex(sealed))
          for (const half of [node, web]) {
            expect(toHex(half.aeadSeal(aead, key, nonce, aad, plaintext, prefix))).toBe(
              toHex(prefix) + toHex(sealed),
            )
            expect(toHex(half.aeadOpen(aead, key, nonce, aad, sealed) ?? key)).toBe(toHex(plaintext))
          }
        }),
        { numRuns: 30 },
      )
    },
  )

  it.each(aeads)('open nothing that was changed with AEAD %i', (aead, keyBytes) => {
    const [key, nonce, aad] = [new Uint8Array(keyBytes), new Uint8Array(12), Uint8Array.of(1)]
    const sealed = node.aeadSeal(aead, key, nonce, aad, Uint8Array.of(1, 2, 3))
    const flip = (data: Uint8Array, at: number) => data.map((octet, i) => (i === at ? octet ^ 1 : octet))
    for (const half of [node, web]) {
      for (let at = 0; at < sealed.length; at++)
        expect(half.aeadOpen(aead, key, nonce, aad, flip(sealed, at))).toBeUndefined()
      expect(half.aeadOpen(aead, flip(key, 0), nonce, aad, sealed)).toBeUndefined()
      expect(half.aeadOpen(aead, key, flip(nonce, 0), aad, sealed)).toBeUndefined()
      expect(half.aeadOpen(aead, key, nonce, new Uint8Array(0), sealed)).toBeUndefined()
      for (const length of [0, 1, 15, 16, 18])
        expect(half.aeadOpen(aead, key, nonce, aad, sealed.subarray(0, length))).toBeUndefined()
    }
  })
})
