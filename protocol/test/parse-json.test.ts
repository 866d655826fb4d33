import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from '../src/bytes.js'
import { canonicalize } from '../src/canonicalize.js'
import type { JsonValue } from '../src/json-value.js'
import { parseCanonicalJson, parseJson } from '../src/parse-json.js'
import { codeOf } from './code-of.js'

const CODES = ['accepted', 'json_malformed', 'json_not_canonical', 'json_too_deep']

/** Texts that are nearly JSON: pieces of it in any order. */
const nearlyJson = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u',
      'd800',
      '1',
      '-0',
      'e9',
      ' ',
      'null',
      '\u20ac',
    ),
  )
  .map((pieces) => pieces.join(''))

describe('parseJson', () => {
  it('gives back what JSON.stringify wrote, of text and of bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual(JSON.parse(text))
        expect(parseJson(utf8(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never throws outside its codes, and accepts only what JSON.parse accepts', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const code = codeOf(() => parseJson(text))
        expect(CODES).toContain(code)
        if (code === 'accepted') expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws outside its codes on any bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => CODES.includes(codeOf(() => parseJson(bytes)))))
  })

  it.each([
    ['at the top', '{"a":1,"a":1}'],
    ['inside an array', '[{"a":{"b":[],"b":[]}}]'],
    ['by an escape', '{"a":1,"\\u0061":2}'],
    ['as __proto__', '{"__proto__":1,"__proto__":2}'],
    ['with colons in strings about', '{"a:":":","a:":"\\":"}'],
  ])('a member named twice is refused: %s', (_, text) => {
    expect(codeOf(() => parseJson(text))).toBe('json_malformed')
  })

  it('the same name in two objects is no repetition', () => {
    expect(parseJson('[{"a":1},{"a":{"a":":"}}]')).toEqual([{ a: 1 }, { a: { a: ':' } }])
  })

  it('a member named __proto__ is data and changes no prototype', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}') as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('polluted' in value).toBe(false)
  })

  it('numbers within the doubles are taken as they round', () => {
    expect(parseJson('[1E3,-0.5,1e-400]')).toEqual([1000, -0.5, 0])
  })

  it.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a"}',
    '01',
    '+1',
    '.5',
    'NaN',
    "'a'",
    '"\n"',
    '1 2',
    '[1]]',
    '\ufeff1',
    'nul',
    '"\\x"',
  ])('%j is refused as json_malformed', (text) => {
    expect(codeOf(() => parseJson(text))).toBe('json_malformed')
  })

  it.each(['[1e309]', '-1e309', '["\ud800"]', '["\\udc00\\ud800"]', '{"\\ud800":1}'])(
    '%j is refused as json_malformed',
    (text) => {
      expect(codeOf(() => parseJson(text))).toBe('json_malformed')
    },
  )

  it('64 levels are the most, and brackets in strings do not count', () => {
    const deep = (levels: number) => '{"a":'.repeat(levels) + '"[[{{"' + '}'.repeat(levels)
    expect(codeOf(() => parseJson(deep(64)))).toBe('accepted')
    expect(codeOf(() => parseJson(deep(65)))).toBe('json_too_deep')
    expect(codeOf(() => parseJson('['.repeat(1_000_000)))).toBe('json_too_deep')
  })
})

describe('parseCanonicalJson', () => {
  it('accepts exactly the canonical text of a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalize(value as JsonValue)
        expect(canonicalize(parseCanonicalJson(text))).toBe(text)
        expect(parseCanonicalJson(utf8(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('accepts only texts that are their own canonical form', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const code = codeOf(() => parseCanonicalJson(text))
        expect(CODES).toContain(code)
        if (code === 'accepted') expect(canonicalize(parseJson(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['white space', '{"a": 1}'],
    ['a line break at the end', '{}\n'],
    ['members out of order', '{"b":1,"a":1}'],
    ['numeric names out of order', '{"2":1,"10":1}'],
    ['a member named twice', '{"a":1,"a":1}'],
    ['minus zero', '-0'],
    ['a fraction of zero', '1.0'],
    ['an exponent', '1e2'],
    ['a needless escape', '"\\u0061"'],
    ['an escaped slash', '"\\/"'],
    ['an escape in upper case', '"\\u001F"'],
    ['digits beyond the double', '9007199254740993'],
  ])('%s is refused as json_not_canonical', (_, text) => {
    expect(codeOf(() => parseCanonicalJson(text))).toBe('json_not_canonical')
  })

  it.each([
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
    ['a lone surrogate', '"\\ud800"'],
    ['a number beyond the doubles', '1e999'],
    ['no JSON', '{'],
  ])('%s is refused as json_malformed', (_, input) => {
    expect(codeOf(() => parseCanonicalJson(input))).toBe('json_malformed')
  })

  it('65 levels are refused as json_too_deep, and a million do not overflow the stack', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(codeOf(() => parseCanonicalJson(deep(64)))).toBe('accepted')
    expect(codeOf(() => parseCanonicalJson(deep(65)))).toBe('json_too_deep')
    expect(codeOf(() => parseCanonicalJson(deep(1_000_000)))).toBe('json_too_deep')
  })
})
