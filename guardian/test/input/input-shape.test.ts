import type { JsonObject, JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkInput, compileInputSchema } from '../../src/index.js'
import { oracle } from '../schema/oracle.js'

const compiled = (schema: JsonValue) => {
  const result = compileInputSchema(schema)
  if (!result.ok) throw new Error(result.code)
  return result.shape
}

describe('an input schema', () => {
  test('may leave strings free within a length, and needs not be countable', () => {
    const schema = { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 1000 }
    expect(compiled(schema).maxInputBytes).toBe(2 + 1000 * (2 + 6 * 40) + 999)
  })

  test('may bound a text by a pattern with a length, whose bytes are then exact', () => {
    const shape = compiled({ type: 'string', pattern: '^[a-z]+(é|€)?$', maxLength: 10 })
    expect(shape.maxInputBytes).toBe(2 + 9 + 3)
    expect(checkInput(shape, 'abc€')).toEqual({ ok: true })
    expect(checkInput(shape, '€')).toEqual({ ok: false, code: 'string_pattern', pointer: '' })
  })

  test('may bound what it does not count: a million numbers, and texts beside null', () => {
    const schema = { type: ['string', 'integer', 'null'], maxLength: 3, minimum: 0, maximum: 999_999 }
    expect(compiled(schema).maxInputBytes).toBe(2 + 6 * 3)
  })

  test.each<[string, JsonValue, string, string]>([
    ['a string without maxLength', { type: 'string', minLength: 1 }, 'value_unbounded', ''],
    ['an integer without bounds', { type: 'integer' }, 'value_unbounded', ''],
    ['a number', { type: 'number' }, 'value_unbounded', '/type'],
    ['an open object', { type: 'object', properties: {} }, 'object_open', ''],
    [
      'a pattern without anchors',
      { type: 'string', maxLength: 3, pattern: '(a+)+$' },
      'pattern_unsupported',
      '/pattern',
    ],
    ['a pattern without an end', { type: 'string', pattern: '^(a+)+$' }, 'value_unbounded', ''],
    ['a number between bounds', { type: 'number', minimum: 0, maximum: 1 }, 'value_unbounded', '/type'],
    ['bounds without a type', { minimum: 0, maximum: 1 }, 'value_unbounded', ''],
    ['an object of itself', { $ref: '#' }, 'reference_cycle', '/$ref'],
    ['a length that is no length', { type: 'string', maxLength: -1 }, 'schema_malformed', '/maxLength'],
    [
      'shorter at most than at least',
      { type: 'string', minLength: 2, maxLength: 1 },
      'schema_contradictory',
      '',
    ],
    ['an input over 1 MiB', { type: 'string', maxLength: 174_763 }, 'value_too_large', ''],
  ])('is refused: %s', (_, schema, code, pointer) => {
    expect(compileInputSchema(schema)).toEqual({ ok: false, code, pointer })
  })
})

describe('checkInput', () => {
  test('counts code points, as ajv does, and agrees with it on lengths', () => {
    const arbitraryText = fc.string({ unit: 'binary', maxLength: 6 })
    fc.assert(
      fc.property(
        fc.nat(4),
        fc.nat(3),
        fc.array(arbitraryText, { minLength: 5, maxLength: 5 }),
        (least, more, texts) => {
          const schema: JsonObject = { type: 'string', minLength: least, maxLength: least + more }
          const shape = compiled(schema)
          const valid = oracle(schema)
          for (const text of texts) expect(checkInput(shape, text).ok).toBe(valid(text))
        },
      ),
      { numRuns: 150 },
    )
  })

  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 3 },
      amount: { type: 'integer', minimum: 0, maximum: 1_000_000_000_000 },
    },
    required: ['name', 'amount'],
    additionalProperties: false,
  }
  test('accepts what the schema admits', () => {
    expect(checkInput(compiled(schema), { name: '😀😀😀', amount: 1_000_000_000_000 })).toEqual({ ok: true })
  })

  test.each<[string, JsonValue, string, string]>([
    ['a text too long', { name: '😀😀😀😀', amount: 1 }, 'string_length', '/name'],
    ['a text far too long', { name: 'a'.repeat(100_000), amount: 1 }, 'string_length', '/name'],
    ['a text too short', { name: '', amount: 1 }, 'string_length', '/name'],
    ['a lone surrogate', { name: '\ud800', amount: 1 }, 'type_mismatch', '/name'],
    ['a number for a text', { name: 1, amount: 1 }, 'type_mismatch', '/name'],
    ['a fraction', { name: 'a', amount: 0.5 }, 'type_mismatch', '/amount'],
    ['an integer out of range', { name: 'a', amount: -1 }, 'integer_out_of_range', '/amount'],
    ['a missing member', { name: 'a' }, 'member_missing', '/amount'],
    ['an unknown member', { name: 'a', amount: 1, more: 1 }, 'member_unknown', ''],
    ['a list', [], 'type_mismatch', ''],
  ])('refuses %s', (_, input, code, pointer) => {
    expect(checkInput(compiled(schema), input)).toEqual({ ok: false, code, pointer })
  })
})
