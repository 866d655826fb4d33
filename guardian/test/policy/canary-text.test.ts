import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText, gramsOf, readingsOf } from '../../src/policy/canary-text.js'

describe('a text is folded', () => {
  test.each([
    ['to one case', 'Acme', 'ACME'],
    ['without spaces', ' a c\tm\u00a0e\n', 'ACME'],
    ['without punctuation and signs', 'a-c.m_e+$', 'ACME'],
    ['without invisible characters', 'a\u200bc\u00adme', 'ACME'],
    ['without marks', 'ácm\u0302e', 'ACME'],
    ['from full width', 'ＡＣＭＥ', 'ACME'],
    ['from mathematical letters', '𝓪𝓬𝓶𝓮', 'ACME'],
    ['from ligatures', 'ﬁne', 'FINE'],
    ['from a sharp s', 'straße', 'STRASSE'],
    ['from a capital sharp s', 'STRAẞE', 'STRASSE'],
    ['from a long s', 'ſo', 'SO'],
    ['from either sigma', 'ΑΣας', 'ΑΣΑΣ'],
    ['from an undotted i', 'ı', 'I'],
    ['from a dotted capital', 'İ', 'I'],
    ['from superscripts', 'm²', 'M2'],
    ['with its numerals', '12-34', '1234'],
    ['with its syllables', '한글', '한글'],
    ['to nothing where there is no letter', '-- ..', ''],
  ])('%s', (_, text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  test('once: again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

describe('the runs of a text', () => {
  test('are every substring of so many characters', () => {
    expect([...gramsOf('abcd', 2)]).toEqual(['ab', 'bc', 'cd'])
  })
  test('count characters, not units', () => {
    expect([...gramsOf('a😀b😂', 2)]).toEqual(['a😀', '😀b', 'b😂'])
  })
  test.each(['', 'a', 'abc'])('are none where the text is shorter: %s', (text) => {
    expect([...gramsOf(text, 4)]).toEqual([])
  })
})

const plain = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })
const reversed = (text: string) => Array.from(text).reverse().join('')
const junk = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '7', '=', ' '), maxLength: 5 })

describe('among the readings of a text is', () => {
  const ENCODINGS: readonly (readonly [string, (text: string) => string])[] = [
    ['the text itself', (text) => text],
    ['the text that stands backwards', reversed],
    ['the text in base64', (text) => Buffer.from(text).toString('base64')],
    ['the text in base64url', (text) => Buffer.from(text).toString('base64url')],
    ['the text in hex', (text) => Buffer.from(text).toString('hex')],
    ['the text in upper-case hex', (text) => Buffer.from(text).toString('hex').toUpperCase()],
    [
      'the text in hex with colons',
      (text) =>
        Buffer.from(text)
          .toString('hex')
          .replace(/..(?=.)/g, '$&:'),
    ],
    ['the text backwards in base64', (text) => Buffer.from(reversed(text)).toString('base64')],
    ['the text in base64, backwards', (text) => reversed(Buffer.from(text).toString('base64'))],
    ['the text backwards in hex', (text) => Buffer.from(reversed(text)).toString('hex')],
    ['the text in hex, backwards', (text) => reversed(Buffer.from(text).toString('hex'))],
  ]
  test.each(ENCODINGS)('%s, whatever stands around it', (_, encode) => {
    fc.assert(
      fc.property(plain, junk, junk, (text, before, after) => {
        expect(readingsOf(before + encode(text) + after).some((read) => read.includes(text))).toBe(true)
      }),
    )
  })

  test('the text in base64 that is broken into lines', () => {
    const encoded = Buffer.from('the secret plan').toString('base64').replace(/.{5}/g, '$&\n')
    expect(readingsOf(encoded).some((read) => read.includes('the secret plan'))).toBe(true)
  })
})
