import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalBytes, canonicalize, MAX_JSON_DEPTH } from '../src/canonicalize.js'
import type { JsonValue } from '../src/json-value.js'
import { codeOf } from './code-of.js'

const nested = (depth: number): JsonValue => (depth === 0 ? 1 : [nested(depth - 1)])

/** Values that the type forbids and a caller without types may pass. */
const untyped = (value: unknown) => value as JsonValue

describe('canonicalize', () => {
  it('gives JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 }), (value) => {
        expect(JSON.parse(canonicalize(value as JsonValue))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('does not depend on the order in which members were added', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), fc.integer()), {
      selector: ([name]) => name,
    })
    fc.assert(
      fc.property(entries, (list) => {
        const reversed = Object.fromEntries([...list].reverse())
        return canonicalize(Object.fromEntries(list)) === canonicalize(reversed)
      }),
    )
  })

  it('sorts names that look like numbers as text', () => {
    expect(canonicalize({ 2: 0, 10: 0, 1: 0 })).toBe('{"1":0,"10":0,"2":0}')
  })

  it('prints names alike whether or not it has met them, also more of them than it remembers', () => {
    const names = Array.from(
      { length: 1000 },
      (_, at) => `${String.fromCharCode(0x22 + at)}${'n'.repeat(at % 100)}`,
    )
    const object = Object.fromEntries(names.map((name) => [name, 0]))
    const wanted = `{${[...names]
      .sort()
      .map((name) => `${JSON.stringify(name)}:0`)
      .join()}}`
    expect(canonicalize(object)).toBe(wanted)
    expect(canonicalize(object)).toBe(wanted)
  })

  it('escapes what ECMAScript escapes and nothing else', () => {
    expect(canonicalize('\u0000\b\t\n\f\r"\\/\u007f\u2028')).toBe(
      '"\\u0000\\b\\t\\n\\f\\r\\"\\\\/\u007f\u2028"',
    )
  })

  it('prints minus zero as zero', () => {
    expect(canonicalize([-0])).toBe('[0]')
  })

  it('treats a member named __proto__ as any other', () => {
    expect(canonicalize(JSON.parse('{"b":1,"__proto__":{"x":1}}') as JsonValue)).toBe(
      '{"__proto__":{"x":1},"b":1}',
    )
  })

  it('takes objects without a prototype', () => {
    expect(canonicalize(Object.assign(Object.create(null) as object, { a: 1 }))).toBe('{"a":1}')
  })

  it('canonicalBytes are the UTF-8 of the text', () => {
    expect(canonicalBytes({ a: 'é' })).toEqual(Uint8Array.from(Buffer.from('{"a":"é"}')))
  })

  it.each([
    ['NaN', NaN],
    ['an infinity', { a: -Infinity }],
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['an item that is undefined', [undefined]],
    ['a hole', new Array(1)],
    ['a function', { a: () => 1 }],
    ['a symbol', [Symbol('a')]],
    ['a bigint', 1n],
    ['a date', new Date(0)],
    ['bytes', { a: new Uint8Array(2) }],
    ['a map', new Map()],
    ['a boxed string', Object('a')],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
  ])('%s is refused as json_malformed', (_, value) => {
    expect(codeOf(() => canonicalize(untyped(value)))).toBe('json_malformed')
  })

  it(`${MAX_JSON_DEPTH} levels are the most`, () => {
    expect(canonicalize(nested(MAX_JSON_DEPTH))).toHaveLength(2 * MAX_JSON_DEPTH + 1)
    expect(codeOf(() => canonicalize(nested(MAX_JSON_DEPTH + 1)))).toBe('json_too_deep')
  })

  it('a cycle ends as json_too_deep', () => {
    const cycle: Record<string, unknown> = {}
    cycle['a'] = [cycle]
    expect(codeOf(() => canonicalize(untyped(cycle)))).toBe('json_too_deep')
  })
})
