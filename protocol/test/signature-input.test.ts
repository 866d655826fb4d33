import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeParameters, parseParameters } from '../src/signature-input.js'
import { codeOf } from './code-of.js'

const TEXT = ';created=1;keyid="k";alg="ed25519";tag="t"'
const text = fc.string({ unit: fc.constantFrom(...Array.from('ab:;=#- ')), maxLength: 20 })
const parameters = fc.record({ created: fc.nat({ max: 999_999_999_999_999 }), keyId: text, tag: text })

describe('signature parameters', () => {
  it('round-trip', () => {
    fc.assert(
      fc.property(parameters, (wanted) => {
        expect(parseParameters(encodeParameters(wanted))).toEqual(wanted)
      }),
    )
  })

  it('stand in any order', () => {
    const parts = [';created=1', ';keyid="k"', ';alg="ed25519"', ';tag="t"']
    fc.assert(
      fc.property(fc.shuffledSubarray(parts, { minLength: 4 }), (shuffled) => {
        expect(parseParameters(shuffled.join(''))).toEqual({ created: 1, keyId: 'k', tag: 't' })
      }),
    )
  })

  it('any text is read or refused as http_signature_malformed', () => {
    const near = fc
      .array(fc.constantFrom(';', 'created', 'keyid', '=', '"', '1', ';alg="ed25519"', ';tag="t"', ' '))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (candidate) =>
        ['accepted', 'http_signature_malformed'].includes(codeOf(() => parseParameters(candidate))),
      ),
    )
  })

  it.each([
    ['nothing', ''],
    ['no created', TEXT.replace(';created=1', '')],
    ['no keyid', TEXT.replace(';keyid="k"', '')],
    ['no alg', TEXT.replace(';alg="ed25519"', '')],
    ['no tag', TEXT.replace(';tag="t"', '')],
    ['another algorithm', TEXT.replace('ed25519', 'rsa-pss-sha512')],
    ['created twice', `${TEXT};created=1`],
    ['an expiry', `${TEXT};expires=2`],
    ['a nonce', `${TEXT};nonce="n"`],
    ['created as a text', TEXT.replace('=1', '="1"')],
    ['created with a fraction', TEXT.replace('=1', '=1.5')],
    ['a negative created', TEXT.replace('=1', '=-1')],
    ['created with a leading zero', TEXT.replace('=1', '=01')],
    ['created of 16 digits', TEXT.replace('=1', '=1000000000000000')],
    ['a keyid that is no text', TEXT.replace('"k"', '7')],
    ['an escape in the keyid', TEXT.replace('"k"', '"\\""')],
    ['white space', TEXT.replace(';tag', '; tag')],
    ['a second signature', `${TEXT}, other=()${TEXT}`],
  ])('%s is refused as http_signature_malformed', (_, candidate) => {
    expect(codeOf(() => parseParameters(candidate))).toBe('http_signature_malformed')
  })

  it.each([
    ['a negative created', { created: -1, keyId: 'k', tag: 't' }],
    ['created with a fraction', { created: 0.5, keyId: 'k', tag: 't' }],
    ['a quote in the key id', { created: 1, keyId: 'k"', tag: 't' }],
    ['a backslash in the tag', { created: 1, keyId: 'k', tag: '\\' }],
    ['a line break in the key id', { created: 1, keyId: 'k\n', tag: 't' }],
  ])('%s is not encoded', (_, unsound) => {
    expect(codeOf(() => encodeParameters(unsound))).toBe('http_signature_malformed')
  })
})
