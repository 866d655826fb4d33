import { canonicalize, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkOutput, compileOutputSchema } from '../../src/index.js'
import { arbitrarySchema, arbitraryValue } from '../schema/arbitrary-schema.js'
import { enumerate } from '../schema/enumerate.js'
import { oracle } from '../schema/oracle.js'

const compiled = (schema: JsonValue) => {
  const result = compileOutputSchema(schema)
  if (!result.ok) throw new Error(`${result.code} at ${result.pointer}`)
  return result.shape
}

const outputs = (schema: JsonValue) => compiled(schema).outputs

/** A random schema that is small enough to enumerate, with its shape. */
const withShape = (schema: JsonObject) => {
  const result = compileOutputSchema(schema)
  fc.pre(result.ok && result.shape.outputs <= 1500n)
  return compiled(schema)
}

describe('the count', () => {
  test('equals the brute-force enumeration, and checkOutput accepts exactly what is enumerated', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const shape = withShape(schema)
        const values = enumerate(schema)
        expect(shape.outputs).toBe(BigInt(values.length))
        for (const value of values) expect(checkOutput(shape, value)).toEqual({ ok: true })
      }),
      { numRuns: 3000 },
    )
  })

  test('is zero only where the enumeration is empty, and then the schema is refused', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const result = compileOutputSchema(schema)
        fc.pre(!result.ok)
        expect(result).toMatchObject({ code: 'schema_contradictory' })
        // Refused although something may be left: a member or item in it can never be.
        const someEmpty = (part: JsonValue): boolean => {
          if (typeof part !== 'object' || part === null) return false
          const own = isJsonObject(part) && 'type' in part && enumerate(part).length === 0
          return own || Object.values(part).some(someEmpty)
        }
        expect(someEmpty(schema)).toBe(true)
      }),
      { numRuns: 200, maxSkipsPerRun: 200 },
    )
  })

  test.each<[string, JsonValue, bigint]>([
    ['one constant', { const: 'x' }, 1n],
    ['integers with both bounds included', { type: 'integer', minimum: -3, maximum: 4 }, 8n],
    [
      'all exact integers',
      { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 },
      2n ** 54n - 1n,
    ],
    ['an empty object', { type: 'object', additionalProperties: false }, 1n],
    [
      'an optional member: one more state',
      { type: 'object', properties: { a: { type: 'boolean' } }, additionalProperties: false },
      3n,
    ],
    [
      'ordered sequences without repetition',
      { type: 'array', items: { enum: ['a', 'b', 'c', 'd', 'e', 'f'] }, maxItems: 3, uniqueItems: true },
      157n,
    ],
    [
      'more unique items than there are',
      { type: 'array', items: { type: 'boolean' }, maxItems: 9, uniqueItems: true },
      5n,
    ],
    ['sequences', { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 }, 12n],
    [
      'lengths of a constant',
      { type: 'array', items: { const: 0 }, minItems: 5, maxItems: 300_000 },
      299_996n,
    ],
    [
      'the largest that is counted',
      { type: 'array', items: { type: 'boolean' }, maxItems: 4095 },
      2n ** 4096n - 1n,
    ],
  ])('%s', (_, schema, count) => {
    expect(outputs(schema)).toBe(count)
  })

  test('counts the members of an AgentVault-shaped signal as a product, not as a sum of ceilings', () => {
    const reasons = (most: number) => ({
      type: 'array',
      items: { type: 'string', enum: ['A', 'B', 'C', 'D', 'E', 'F'] },
      minItems: 0,
      maxItems: most,
      uniqueItems: true,
      'x-vcav-entropy-bits-upper-bound': 1,
    })
    const properties = {
      version: { const: '2' },
      fit: { enum: ['A', 'B', 'C'] },
      for: reasons(3),
      against: reasons(2),
    }
    const schema = {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    }
    expect(outputs(schema)).toBe(3n * 157n * 37n)
  })
})

describe('checkOutput', () => {
  test('agrees with ajv in strict mode on random schemas and values', () => {
    fc.assert(
      fc.property(
        arbitrarySchema,
        fc.array(arbitraryValue, { minLength: 20, maxLength: 20 }),
        (schema, values) => {
          // ajv does not look at a property called __proto__; the enumeration above does.
          fc.pre(!JSON.stringify(schema).includes('__proto__'))
          const shape = withShape(schema)
          const valid = oracle(schema)
          const enumerated = enumerate(schema).slice(0, 20)
          for (const value of [...values, ...enumerated])
            expect(checkOutput(shape, value).ok).toBe(valid(value))
        },
      ),
      { numRuns: 400 },
    )
  })

  test('takes 1.0 for 1 and -0 for 0, as JSON does', () => {
    const shape = compiled({ enum: [0, 1] })
    expect(checkOutput(shape, JSON.parse('1.0') as JsonValue).ok).toBe(true)
    expect(checkOutput(shape, JSON.parse('-0') as JsonValue).ok).toBe(true)
    expect(checkOutput(compiled({ type: 'integer', minimum: 0, maximum: 1 }), 1.5)).toMatchObject({
      code: 'type_mismatch',
    })
  })

  const schema = {
    type: 'object',
    properties: {
      level: { type: 'integer', minimum: 1, maximum: 3 },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2, uniqueItems: true },
      note: { const: 'x' },
    },
    required: ['level', 'tags'],
    additionalProperties: false,
  }
  test.each<[string, JsonValue, string, string]>([
    ['not an object', [], 'type_mismatch', ''],
    ['null', null, 'type_mismatch', ''],
    ['a missing member', { level: 1 }, 'member_missing', '/tags'],
    ['an inherited member', { level: 1, tags: ['a'], toString: 'x' }, 'member_unknown', ''],
    [
      'an unknown member, which the pointer does not name',
      { level: 1, tags: ['a'], secret: 1 },
      'member_unknown',
      '',
    ],
    [
      'a member called __proto__',
      JSON.parse('{"level":1,"tags":["a"],"__proto__":{}}') as JsonValue,
      'member_unknown',
      '',
    ],
    ['an integer below', { level: 0, tags: ['a'] }, 'integer_out_of_range', '/level'],
    ['an integer above', { level: 4, tags: ['a'] }, 'integer_out_of_range', '/level'],
    ['a text for an integer', { level: '1', tags: ['a'] }, 'type_mismatch', '/level'],
    ['an array too short', { level: 1, tags: [] }, 'array_length', '/tags'],
    ['an array too long', { level: 1, tags: ['a', 'b', 'a'] }, 'array_length', '/tags'],
    ['an item twice', { level: 1, tags: ['a', 'a'] }, 'items_not_unique', '/tags'],
    ['an item that is not listed', { level: 1, tags: ['a', 'c'] }, 'value_not_listed', '/tags/1'],
    ['an object for an array', { level: 1, tags: { 0: 'a' } }, 'type_mismatch', '/tags'],
    ['another constant', { level: 1, tags: ['a'], note: 'y' }, 'value_not_listed', '/note'],
  ])('refuses %s', (_, value, code, pointer) => {
    expect(checkOutput(compiled(schema), value)).toEqual({ ok: false, code, pointer })
  })

  const ruled = {
    type: 'object',
    properties: {
      code: { type: 'string', pattern: '^[A-C]{2}$' },
      share: { type: ['integer', 'null'], minimum: 0, maximum: 100, multipleOf: 5 },
      pair: { type: 'array', prefixItems: [{ enum: ['a', 'b'] }, { type: 'boolean' }], items: false },
      shape: { oneOf: [{ const: 'none' }, { enum: [['x'], ['y']] }] },
    },
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 2,
    dependentRequired: { pair: ['code'] },
  }
  test.each<[string, JsonValue, string, string]>([
    ['a text that does not match', { code: 'AD' }, 'string_pattern', '/code'],
    ['a text that matches only in part', { code: 'ABC' }, 'string_pattern', '/code'],
    ['a number between multiples', { share: 12 }, 'alternative_missing', '/share'],
    ['a text for an integer or null', { share: 'x' }, 'value_not_listed', '/share'],
    [
      'an item that its position does not admit',
      { code: 'AB', pair: ['a', 'b'] },
      'value_not_listed',
      '/pair/1',
    ],
    ['an item beyond the last position', { code: 'AB', pair: ['a', true, 1] }, 'array_length', '/pair'],
    ['too few members', {}, 'member_count', ''],
    ['too many members', { code: 'AA', share: 5, shape: 'none' }, 'member_count', ''],
    ['a member without the one that it needs', { pair: [], share: 5 }, 'member_missing', '/code'],
    ['a value that no alternative admits', { shape: ['z'] }, 'alternative_missing', '/shape'],
  ])('refuses %s', (_, value, code, pointer) => {
    expect(checkOutput(compiled(ruled), value)).toEqual({ ok: false, code, pointer })
  })

  test('says that an integer is no multiple', () => {
    const shape = compiled({ type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 })
    expect(checkOutput(shape, 4)).toEqual({ ok: false, code: 'integer_not_multiple', pointer: '' })
  })
})

describe('maxOutputBytes', () => {
  test('is the length of the longest admitted output, or a bound where items may not repeat', () => {
    fc.assert(
      fc.property(arbitrarySchema, (schema) => {
        const shape = withShape(schema)
        const lengths = enumerate(schema).map((value) => new TextEncoder().encode(canonicalize(value)).length)
        const longest = Math.max(...lengths)
        expect(shape.maxOutputBytes).toBeGreaterThanOrEqual(longest)
        if (!JSON.stringify(schema).includes('uniqueItems')) expect(shape.maxOutputBytes).toBe(longest)
      }),
      { numRuns: 1000 },
    )
  })

  test.each<[string, JsonValue, number]>([
    ['two bytes for an escaped quote', { const: '"' }, 4],
    ['six bytes for a control character', { const: '\u0001' }, 8],
    ['four bytes for an emoji', { const: '😀' }, 6],
    ['the sign of a negative bound', { type: 'integer', minimum: -100, maximum: 99 }, 4],
    [
      'names, colons and commas',
      { type: 'object', properties: { é: { const: 1 }, b: { const: 2 } }, additionalProperties: false },
      14,
    ],
    ['no items', { type: 'array', items: { const: 1 }, maxItems: 0 }, 2],
  ])('counts %s', (_, schema, bytes) => {
    expect(compiled(schema).maxOutputBytes).toBe(bytes)
  })
})
