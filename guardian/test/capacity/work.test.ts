import type { JsonObject, JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { checkOutput, compileInputSchema, compileOutputSchema } from '../../src/index.js'

type Wrap = (inner: JsonValue) => JsonValue
const nested = (levels: number, wrap: Wrap, inner: JsonValue): JsonValue => {
  let value = inner
  for (let i = 0; i < levels; i++) value = wrap(value)
  return value
}
const doubling = (levels: number, level: Wrap): JsonObject => {
  const $defs: Record<string, JsonValue> = { d0: { enum: ['a', 'b'] } }
  for (let i = 1; i <= levels; i++) $defs[`d${i}`] = level({ $ref: `#/$defs/d${i - 1}` })
  return { $defs, $ref: `#/$defs/d${levels}` }
}
const names = (count: number) => Array.from({ length: count }, (_, i) => `V${i}`)
const tagged = (item: JsonValue, tag: number) => ({
  type: 'array',
  prefixItems: [item, { const: tag }],
  items: false,
  minItems: 2,
})

describe('a schema that would take too long is refused', () => {
  test.each<[string, JsonValue, string]>([
    [
      '20,000 arrays in one another',
      nested(20_000, (items) => ({ type: 'array', items, maxItems: 1 }), true),
      'schema_too_deep',
    ],
    ['20,000 allOf in one another', nested(20_000, (inner) => ({ allOf: [inner] }), true), 'schema_too_deep'],
    ['20,000 anyOf in one another', nested(20_000, (inner) => ({ anyOf: [inner] }), true), 'schema_too_deep'],
    ['a constant 20,000 deep', { const: nested(20_000, (inner) => [inner], 1) }, 'schema_too_deep'],
    ['a chain of 5000 references', doubling(5000, (ref) => ref), 'schema_too_deep'],
    [
      'members that double at 60 levels',
      doubling(60, (ref) => ({
        type: 'object',
        properties: { a: ref, b: ref },
        required: ['a', 'b'],
        additionalProperties: false,
      })),
      'capacity_too_large',
    ],
    ['20,000 alternatives', { oneOf: names(20_000).map((name) => ({ const: name })) }, 'schema_too_complex'],
    [
      '50 choices of two',
      {
        enum: names(50),
        allOf: names(50).map((_, i) => ({ anyOf: [{ maxLength: i }, { minLength: i + 1 }] })),
      },
      'schema_too_complex',
    ],
    [
      '300,000 parts',
      { type: 'null', allOf: names(300_000).map(() => ({ type: 'null' })) },
      'schema_too_complex',
    ],
    [
      'a loop of 2^53 characters',
      { type: 'string', pattern: '^a*$', maxLength: 2 ** 53 - 1 },
      'schema_too_complex',
    ],
    [
      '8 positions of 500 values that overlap',
      {
        type: 'array',
        prefixItems: names(8).map((_, i) => ({ enum: names(508).slice(i, 500 + i) })),
        items: false,
        uniqueItems: true,
      },
      'schema_too_complex',
    ],
    [
      '5000 members by number',
      {
        type: 'object',
        properties: Object.fromEntries(names(5000).map((name) => [name, { const: 1 }])),
        additionalProperties: false,
        maxProperties: 3,
      },
      'schema_too_complex',
    ],
    [
      'two enums of a million',
      { anyOf: [{ enum: names(1_000_000) }, { enum: names(1_000_001) }] },
      'schema_too_complex',
    ],
    [
      'items of 2^53 numbers, 2^53 times',
      {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 2 ** 53 - 1 },
        maxItems: 2 ** 53 - 1,
        uniqueItems: true,
      },
      'capacity_too_large',
    ],
  ])('%s', (_, schema, code) => {
    expect(compileOutputSchema(schema)).toMatchObject({ ok: false, code })
    expect(typeof compileInputSchema(schema).ok).toBe('boolean')
  })
})

test('what annotations hold is not walked', () => {
  const deep = nested(20_000, (inner) => [inner], 1)
  expect(compileOutputSchema({ const: 1, default: deep, examples: deep })).toMatchObject({ ok: true })
})

test('definitions that double are counted once each', () => {
  const compiled = compileOutputSchema(doubling(30, (ref) => ({ oneOf: [tagged(ref, 1), tagged(ref, 2)] })))
  expect(compiled.ok && compiled.shape.outputs).toBe(2n ** 31n)
})

test('an output is checked against each of them once, though every alternative begins alike', () => {
  const compiled = compileOutputSchema(doubling(60, (ref) => ({ oneOf: [tagged(ref, 1), tagged(ref, 2)] })))
  if (!compiled.ok) throw new Error(compiled.code)
  const output = (leaf: string) => nested(60, (inner) => [inner, 2], leaf)
  expect(checkOutput(compiled.shape, output('b'))).toEqual({ ok: true })
  expect(checkOutput(compiled.shape, output('c')).ok).toBe(false)
})
