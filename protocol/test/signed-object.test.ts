import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBase64url } from '../src/base64url.js'
import { labelledDigest } from '../src/digest.js'
import { generateSigningKey, verifyEd25519 } from '../src/ed25519.js'
import { signObject, verifyObject } from '../src/signed-object.js'
import { codeOf } from './code-of.js'

const key = generateSigningKey()
const object = { b: [1, 'é'], a: null }
const signature = signObject('label', object, key)

describe('signed objects', () => {
  it('the signature is Ed25519 over the 32 bytes of the labelled digest', () => {
    expect(signature).toHaveLength(86)
    const bytes = Uint8Array.from(Buffer.from(signature, 'base64url'))
    expect(verifyEd25519(key.publicKey, labelledDigest('label', object), bytes)).toBe(true)
  })

  it('verifies whatever the order of the members', () => {
    expect(
      codeOf(() => {
        verifyObject('label', { a: null, b: [1, 'é'] }, signature, key.publicKey)
      }),
    ).toBe('accepted')
  })

  it.each([
    [
      'another label',
      () => {
        verifyObject('Label', object, signature, key.publicKey)
      },
    ],
    [
      'another value',
      () => {
        verifyObject('label', { ...object, a: 0 }, signature, key.publicKey)
      },
    ],
    [
      'one member more',
      () => {
        verifyObject('label', { ...object, c: 0 }, signature, key.publicKey)
      },
    ],
    [
      'another key',
      () => {
        verifyObject('label', object, signature, generateSigningKey().publicKey)
      },
    ],
    [
      'a padded signature',
      () => {
        verifyObject('label', object, `${signature}==`, key.publicKey)
      },
    ],
    [
      'a short signature',
      () => {
        verifyObject('label', object, toBase64url(new Uint8Array(63)), key.publicKey)
      },
    ],
    [
      'no signature',
      () => {
        verifyObject('label', object, '', key.publicKey)
      },
    ],
  ])('%s is refused as signature_invalid', (_, verify) => {
    expect(codeOf(verify)).toBe('signature_invalid')
  })

  it('a changed character of the signature is refused as signature_invalid', () => {
    fc.assert(
      fc.property(fc.nat(85), fc.constantFrom('A', 'b', '_', '-', '=', '0'), (at, character) => {
        const changed = signature.slice(0, at) + character + signature.slice(at + 1)
        fc.pre(changed !== signature)
        return (
          codeOf(() => {
            verifyObject('label', object, changed, key.publicKey)
          }) === 'signature_invalid'
        )
      }),
    )
  })
})
