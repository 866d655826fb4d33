import type { JsonValue } from '@parley/protocol'
import { expect, test } from 'vitest'
import { agentVaultBits } from '../../src/index.js'

const letters = (n: number) => ({ type: 'string', enum: Array.from({ length: n }, (_, i) => `V${i}`) })
const object = (properties: JsonValue) => ({ type: 'object', properties })
const chain = (levels: number) => {
  const $defs: Record<string, JsonValue> = { d0: letters(2) }
  for (let i = 1; i <= levels; i++) {
    const $ref = `#/$defs/d${i - 1}`
    $defs[`d${i}`] = object({ a: { $ref }, b: { $ref } })
  }
  return { $defs, $ref: `#/$defs/d${levels}` }
}

test.each<[string, JsonValue, number | null]>([
  ['a constant is free', { const: 'x' }, 0],
  ['an enum of one is free', letters(1), 0],
  ['an enum of five takes three bits', letters(5), 3],
  [
    'members add up their ceilings',
    object({ a: letters(5), b: letters(6), c: letters(5), d: letters(3) }),
    11,
  ],
  ['optional members are not counted', object({ a: letters(2) }), 1],
  ['an object without properties is free', { type: 'object' }, 0],
  [
    'a declared bound is believed, also at the root',
    { ...letters(1000), 'x-vcav-entropy-bits-upper-bound': 1 },
    1,
  ],
  [
    'a declared bound goes before a reference',
    { $ref: '#/nowhere', 'x-vcav-entropy-bits-upper-bound': 2 },
    2,
  ],
  ['a huge declared bound is clamped', { 'x-vcav-entropy-bits-upper-bound': 1e9 }, 65_535],
  ['a fractional declared bound is an error', { 'x-vcav-entropy-bits-upper-bound': 1.5 }, null],
  ['a negative declared bound is an error', { 'x-vcav-entropy-bits-upper-bound': -1 }, null],
  ['a declared bound of another type is an error', { 'x-vcav-entropy-bits-upper-bound': '1' }, null],
  ['local references are followed', { $defs: { 'a/b': letters(4) }, $ref: '#/$defs/a~1b' }, 2],
  ['references into lists are followed', { list: [letters(2), letters(8)], $ref: '#/list/1' }, 3],
  ['a reference goes before a constant', { $defs: { a: letters(4) }, $ref: '#/$defs/a', const: 1 }, 2],
  ['a missing target is an error', { $ref: '#/$defs/a' }, null],
  ['the root itself as target is an error', { $ref: '#' }, null],
  ['an outer reference is an error', { $ref: 'https://example.org/a' }, null],
  ['a reference to itself has no figure', object({ a: { $ref: '#/properties/a' } }), null],
  ['a cycle has no figure', { $defs: { a: object({ b: { $ref: '#/$defs/a' } }) }, $ref: '#/$defs/a' }, null],
  ['a union is an error', { oneOf: [letters(2)] }, null],
  ['an empty enum is an error', { enum: [] }, null],
  ['an enum with a number is an error', { enum: ['a', 1] }, null],
  ['a boolean is an error', { type: 'boolean' }, null],
  ['a bounded integer is an error', { type: 'integer', minimum: 0, maximum: 1 }, null],
  ['a free string is an error', { type: 'string' }, null],
  ['an array is an error', { type: 'array', items: letters(2), maxItems: 1 }, null],
  ['one error spoils the object', object({ a: letters(2), b: { type: 'boolean' } }), null],
  [
    'sums over 65535 are an error',
    object(
      Object.fromEntries(['a', 'b'].map((name) => [name, { 'x-vcav-entropy-bits-upper-bound': 40_000 }])),
    ),
    null,
  ],
  ['a schema that is no object is an error', true, null],
  ['references that double at every level are measured once each', chain(15), 32_768],
  ['and add up until the sum overflows', chain(30), null],
])('%s', (_, schema, bits) => {
  expect(agentVaultBits(schema)).toBe(bits)
})
