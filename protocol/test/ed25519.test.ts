import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../src/bytes.js'
import {
  generateSigningKey,
  parseEd25519PublicKey,
  signingKeyFromSeed,
  verifyEd25519,
} from '../src/ed25519.js'
import * as node from '../src/node/crypto.js'
import * as web from '../src/web/crypto.js'
import { codeOf } from './code-of.js'

const key = signingKeyFromSeed(new Uint8Array(32).fill(7))
const message = utf8('message')
const signature = key.sign(message)
const ORDER = ed25519.Point.Fn.ORDER

const littleEndian = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, i) => Number((number >> BigInt(8 * i)) & 0xffn))
const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((n, octet) => (n << 8n) | BigInt(octet), 0n)

describe('Ed25519 keys', () => {
  it('a generated key signs what verifies, and no two are the same', () => {
    const [one, other] = [generateSigningKey(), generateSigningKey()]
    expect(verifyEd25519(one.publicKey, message, one.sign(message))).toBe(true)
    expect(verifyEd25519(other.publicKey, message, one.sign(message))).toBe(false)
    expect(toHex(one.publicKey)).not.toBe(toHex(other.publicKey))
    expect(toHex(parseEd25519PublicKey(one.publicKey))).toBe(toHex(one.publicKey))
  })

  it('a signing key shows nothing but its public half', () => {
    expect(JSON.stringify(key)).toBe(JSON.stringify({ publicKey: key.publicKey }))
  })

  it.each([0, 31, 33, 64])('a public key of %i bytes is refused as key_refused', (length) => {
    expect(codeOf(() => parseEd25519PublicKey(new Uint8Array(length).fill(9)))).toBe('key_refused')
  })

  it.each([0, 31, 33, 64])('a seed of %i bytes is refused as key_refused', (length) => {
    expect(codeOf(() => signingKeyFromSeed(new Uint8Array(length)))).toBe('key_refused')
  })

  it('a key that was refused once is refused again', () => {
    const small = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0))
    expect([1, 2].map(() => codeOf(() => parseEd25519PublicKey(small)))).toEqual([
      'key_refused',
      'key_refused',
    ])
  })

  it('more keys than are remembered change no answer', () => {
    const keys = Array.from({ length: 520 }, (_, i) => signingKeyFromSeed(littleEndian(BigInt(i))))
    for (const { publicKey, sign } of [...keys, ...keys.slice(0, 3)])
      expect(verifyEd25519(parseEd25519PublicKey(publicKey), message, sign(message))).toBe(true)
  })

  it('a key that is overwritten after use is not taken for the old one', () => {
    const bytes = Uint8Array.from(key.publicKey)
    const parsed = parseEd25519PublicKey(bytes)
    expect(verifyEd25519(parsed, message, signature)).toBe(true)
    bytes.set(generateSigningKey().publicKey)
    expect(verifyEd25519(parsed, message, signature)).toBe(false)
  })
})

describe.each([
  ['node:crypto', node.ed25519Verify],
  ['noble', web.ed25519Verify],
])('Ed25519 verification over %s', (_, verify) => {
  it('accepts the signature', () => {
    expect(verify(key.publicKey, message, signature)).toBe(true)
  })

  it('refuses the signature with any bit flipped', () => {
    fc.assert(
      fc.property(fc.nat(511), (bit) => {
        const flipped = signature.map((octet, i) => (i === bit >> 3 ? octet ^ (1 << (bit & 7)) : octet))
        return !verify(key.publicKey, message, flipped)
      }),
      { numRuns: 40 },
    )
  })

  it('refuses another message, another key, another length', () => {
    expect(verify(key.publicKey, utf8('Message'), signature)).toBe(false)
    expect(verify(generateSigningKey().publicKey, message, signature)).toBe(false)
    expect(verify(key.publicKey, message, signature.subarray(0, 63))).toBe(false)
    expect(verify(key.publicKey, message, Uint8Array.of(...signature, 0))).toBe(false)
    expect(verify(key.publicKey, message, new Uint8Array(0))).toBe(false)
  })

  it('refuses S raised by the group order', () => {
    const raised = Uint8Array.of(
      ...signature.subarray(0, 32),
      ...littleEndian(numberOf(signature.subarray(32)) + ORDER),
    )
    expect(verify(key.publicKey, message, raised)).toBe(false)
  })

  it('refuses a signature that holds only after multiplication by the cofactor', () => {
    // R carries a point of order 8: 8·S·B = 8·R + 8·k·A, but S·B ≠ R + k·A.
    const { Point, utils } = ed25519
    const { head, prefix, scalar, pointBytes } = utils.getExtendedPublicKey(new Uint8Array(32).fill(7))
    expect(head.length + prefix.length).toBe(64)
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', true)
    const r = 12345n
    const pointR = Point.BASE.multiply(r).add(torsion).toBytes()
    const k = Point.Fn.create(numberOf(node.sha512(Uint8Array.of(...pointR, ...pointBytes, ...message))))
    const crafted = Uint8Array.of(...pointR, ...littleEndian(Point.Fn.create(r + k * scalar)))
    expect(ed25519.verify(crafted, message, pointBytes)).toBe(true)
    expect(verify(key.publicKey, message, crafted)).toBe(false)
  })
})

describe('verifyEd25519', () => {
  it('takes no signature of another length', () => {
    expect(verifyEd25519(key.publicKey, message, new Uint8Array(63))).toBe(false)
  })
})
