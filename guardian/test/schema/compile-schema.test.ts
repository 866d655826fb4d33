import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileOutputSchema } from '../../src/index.js'

const nested = (levels: number): JsonValue => {
  let schema: JsonValue = { const: 1 }
  for (let i = 0; i < levels; i++) schema = { type: 'array', items: schema, maxItems: 1 }
  return schema
}
const closed = (properties: JsonValue, rest = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
})
const tooMany = { type: 'array', items: { type: 'boolean' }, maxItems: 4096 }

describe('an output schema is refused', () => {
  test.each<[string, JsonValue, string, string]>([
    ['true, which admits anything', true, 'schema_malformed', ''],
    ['an array', [], 'schema_malformed', ''],
    ['the empty schema', {}, 'value_unbounded', ''],
    ['annotations alone', { title: 'x' }, 'value_unbounded', ''],
    ['a free string', closed({ note: { type: 'string' } }), 'value_unbounded', '/properties/note'],
    ['a string that only its length bounds', { type: 'string', maxLength: 1 }, 'value_unbounded', ''],
    ['a pattern', { type: 'string', pattern: '^a$' }, 'keyword_unsupported', '/pattern'],
    ['a format', { type: 'string', format: 'date' }, 'keyword_unsupported', '/format'],
    ['a number', { type: 'number', minimum: 0, maximum: 1 }, 'keyword_unsupported', '/minimum'],
    ['a bare number', { type: 'number' }, 'value_unbounded', '/type'],
    ['an unknown type', { type: 'float' }, 'schema_malformed', '/type'],
    ['a type list', { type: ['string', 'null'] }, 'keyword_unsupported', '/type'],
    ['a reference', closed({ a: { $ref: '#/properties/a' } }), 'keyword_unsupported', '/properties/a/$ref'],
    ['a reference beside a type', { type: 'boolean', $ref: '#' }, 'keyword_unsupported', '/$ref'],
    ['definitions', closed({}, { $defs: {} }), 'keyword_unsupported', '/$defs'],
    ['a union', { oneOf: [{ const: 1 }, { const: 2 }] }, 'keyword_unsupported', '/oneOf'],
    ['anyOf', { anyOf: [{ const: 1 }] }, 'keyword_unsupported', '/anyOf'],
    ['allOf beside an enum', { enum: [1], allOf: [] }, 'keyword_unsupported', '/allOf'],
    ['not', { not: {} }, 'keyword_unsupported', '/not'],
    ['conditions', { type: 'boolean', if: {} }, 'keyword_unsupported', '/if'],
    ['const and enum at once', { const: 1, enum: [1] }, 'keyword_unsupported', '/enum'],
    ['a bound on an enum', { enum: [1, 2], minimum: 2 }, 'keyword_unsupported', '/minimum'],
    ['an unknown keyword', { type: 'boolean', 'x-mine': 1 }, 'keyword_unsupported', '/x-mine'],
    [
      'an inherited name as keyword',
      JSON.parse('{"type":"boolean","__proto__":1}') as JsonValue,
      'keyword_unsupported',
      '/__proto__',
    ],
    [
      'an older dialect',
      { $schema: 'http://json-schema.org/draft-04/schema#', const: 1 },
      'keyword_unsupported',
      '/$schema',
    ],
    ['a dialect that is no text', { $schema: 1, const: 1 }, 'keyword_unsupported', '/$schema'],
    ['an empty enum', { enum: [] }, 'schema_malformed', '/enum'],
    ['an enum that is no list', { enum: 'a' }, 'schema_malformed', '/enum'],
    ['an object in an enum', { enum: ['a', {}] }, 'keyword_unsupported', '/enum/1'],
    ['a constant list', { const: [] }, 'keyword_unsupported', '/const'],
    ['a duplicate in an enum', { enum: ['a', 'b', 'a'] }, 'enum_duplicate', '/enum'],
    ['the two zeros', JSON.parse('{"enum":[0,-0]}') as JsonValue, 'enum_duplicate', '/enum'],
    ['one as 1 and 1.0', JSON.parse('{"enum":[1,1.0]}') as JsonValue, 'enum_duplicate', '/enum'],
    ['a fraction in an enum', { enum: [0.5] }, 'number_not_exact', '/enum'],
    ['a constant beyond the exact integers', { const: 2 ** 53 }, 'number_not_exact', '/const'],
    ['an enum member of another type', { type: 'string', enum: ['a', 1] }, 'schema_contradictory', '/type'],
    ['a constant of another type', { type: 'object', const: null }, 'schema_contradictory', '/type'],
    ['a number typed as text', { type: 'string', const: 1 }, 'schema_contradictory', '/type'],
    ['a type list beside an enum', { type: ['string'], enum: ['a'] }, 'schema_contradictory', '/type'],
    ['an integer without bounds', { type: 'integer' }, 'value_unbounded', ''],
    ['an integer without an upper bound', { type: 'integer', minimum: 0 }, 'value_unbounded', ''],
    ['an integer without a lower bound', { type: 'integer', exclusiveMaximum: 9 }, 'value_unbounded', ''],
    ['a bound that is a text', { type: 'integer', minimum: '0', maximum: 1 }, 'schema_malformed', '/minimum'],
    [
      'a bound that is a boolean, as in draft-04',
      { type: 'integer', minimum: 0, maximum: 1, exclusiveMaximum: true },
      'schema_malformed',
      '/exclusiveMaximum',
    ],
    ['a fractional bound', { type: 'integer', minimum: 0.5, maximum: 1 }, 'number_not_exact', '/minimum'],
    [
      'a bound beyond the exact integers',
      { type: 'integer', minimum: 0, maximum: 2 ** 53 },
      'number_not_exact',
      '/maximum',
    ],
    ['an empty range', { type: 'integer', minimum: 2, maximum: 1 }, 'schema_contradictory', ''],
    [
      'an open range of two neighbours',
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      'schema_contradictory',
      '',
    ],
    [
      'multiples',
      { type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 },
      'keyword_unsupported',
      '/multipleOf',
    ],
    ['an open object', { type: 'object', properties: {} }, 'object_open', ''],
    [
      'an object open by word',
      { type: 'object', additionalProperties: true },
      'object_open',
      '/additionalProperties',
    ],
    [
      'an object open to a schema',
      { type: 'object', additionalProperties: { const: 1 } },
      'object_open',
      '/additionalProperties',
    ],
    ['an object within that is open', closed({ a: { type: 'object' } }), 'object_open', '/properties/a'],
    [
      'pattern properties',
      closed({}, { patternProperties: {} }),
      'keyword_unsupported',
      '/patternProperties',
    ],
    ['a count of members', closed({}, { minProperties: 1 }), 'keyword_unsupported', '/minProperties'],
    ['properties that are no object', closed([]), 'schema_malformed', '/properties'],
    [
      'required that is no list',
      closed({ a: { const: 1 } }, { required: 'a' }),
      'schema_malformed',
      '/required',
    ],
    [
      'a required name twice',
      closed({ a: { const: 1 } }, { required: ['a', 'a'] }),
      'schema_malformed',
      '/required',
    ],
    ['a required number', closed({ a: { const: 1 } }, { required: [1] }), 'schema_malformed', '/required'],
    [
      'a required member that is not declared',
      closed({ a: { const: 1 } }, { required: ['b'] }),
      'schema_contradictory',
      '/required',
    ],
    [
      'an inherited name as required',
      closed({}, { required: ['toString'] }),
      'schema_contradictory',
      '/required',
    ],
    ['a property that is no schema', closed({ 'a/b~': 1 }), 'schema_malformed', '/properties/a~1b~0'],
    ['an array without maxItems', { type: 'array', items: { const: 1 } }, 'value_unbounded', ''],
    [
      'unique items without maxItems',
      { type: 'array', items: { const: 1 }, uniqueItems: true },
      'value_unbounded',
      '',
    ],
    ['an array without items', { type: 'array', maxItems: 1 }, 'value_unbounded', ''],
    [
      'items by position',
      { type: 'array', items: [{ const: 1 }], maxItems: 1 },
      'schema_malformed',
      '/items',
    ],
    [
      'prefixItems',
      { type: 'array', prefixItems: [], items: { const: 1 }, maxItems: 1 },
      'keyword_unsupported',
      '/prefixItems',
    ],
    [
      'contains',
      { type: 'array', items: { const: 1 }, maxItems: 1, contains: {} },
      'keyword_unsupported',
      '/contains',
    ],
    [
      'a negative length',
      { type: 'array', items: { const: 1 }, maxItems: -1 },
      'schema_malformed',
      '/maxItems',
    ],
    [
      'a fractional length',
      { type: 'array', items: { const: 1 }, minItems: 0.5, maxItems: 1 },
      'schema_malformed',
      '/minItems',
    ],
    [
      'a length that is a text',
      { type: 'array', items: { const: 1 }, maxItems: '1' },
      'schema_malformed',
      '/maxItems',
    ],
    [
      'uniqueness that is no boolean',
      { type: 'array', items: { const: 1 }, maxItems: 1, uniqueItems: 1 },
      'schema_malformed',
      '/uniqueItems',
    ],
    [
      'fewer at most than at least',
      { type: 'array', items: { const: 1 }, minItems: 2, maxItems: 1 },
      'schema_contradictory',
      '',
    ],
    [
      'more unique items than values',
      { type: 'array', items: { const: 1 }, minItems: 2, maxItems: 2, uniqueItems: true },
      'schema_contradictory',
      '',
    ],
    [
      'a free string in items',
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      'value_unbounded',
      '/items',
    ],
    ['2^4096 outputs and more', tooMany, 'capacity_too_large', ''],
    [
      'too many by multiplication',
      closed({ a: { ...tooMany, maxItems: 2100 }, b: { ...tooMany, maxItems: 2100 } }),
      'capacity_too_large',
      '',
    ],
    ['too many in one member', closed({ a: tooMany }), 'capacity_too_large', '/properties/a'],
    [
      'an output over 1 MiB',
      { type: 'array', items: { const: 1 }, maxItems: 524_289 },
      'value_too_large',
      '',
    ],
    [
      'a bottomless array of one value',
      { type: 'array', items: { const: 1 }, maxItems: 2 ** 53 - 1 },
      'value_too_large',
      '',
    ],
    ['65 levels', nested(64), 'schema_too_deep', '/items'.repeat(64)],
  ])('%s', (_, schema, code, pointer) => {
    expect(compileOutputSchema(schema)).toEqual({ ok: false, code, pointer })
  })
})

describe('an output schema is admitted', () => {
  test.each<[string, JsonValue]>([
    [
      'with annotations of every kind',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'x',
        $comment: 'x',
        title: 'x',
        description: 'x',
        examples: [1],
        default: 1,
        deprecated: true,
        readOnly: true,
        writeOnly: true,
        const: 1,
      },
    ],
    ['in draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'boolean' }],
    [
      'whose declared bound is a lie, since nothing believes it',
      { enum: ['a', 'b'], 'x-vcav-entropy-bits-upper-bound': 0 },
    ],
    ['with 64 levels', nested(63)],
    ['with a number enum typed as number', { type: 'number', enum: [1, 2] }],
    [
      'with bounds said twice',
      { type: 'integer', minimum: 0, exclusiveMinimum: -5, maximum: 3, exclusiveMaximum: 9 },
    ],
  ])('%s', (_, schema) => {
    expect(compileOutputSchema(schema).ok).toBe(true)
  })

  test('with a million enum values', () => {
    const values = Array.from({ length: 1_000_000 }, (_, i) => `V${i}`)
    const result = compileOutputSchema({ type: 'string', enum: values })
    expect(result.ok && result.shape.outputs).toBe(1_000_000n)
  })
})

test('compiling any JSON value gives an answer and never throws', () => {
  const keyword = fc.constantFrom(
    'type',
    'enum',
    'const',
    'items',
    'maxItems',
    'minItems',
    'properties',
    'required',
    'additionalProperties',
    'minimum',
    'maximum',
    'uniqueItems',
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('object', 'array', 'integer', 'string', false, 1),
  )
  const schemaLike = fc.letrec((tie) => ({
    node: fc.dictionary(keyword, fc.oneof({ maxDepth: 4 }, value, tie('node')), { maxKeys: 5 }),
  })).node
  fc.assert(
    fc.property(fc.oneof(schemaLike, fc.jsonValue()), (schema) => {
      expect(typeof compileOutputSchema(schema as JsonValue).ok).toBe('boolean')
    }),
    { numRuns: 3000 },
  )
})

test('a wide schema of arrays that each count far is refused without counting them all', () => {
  const array = { type: 'array', items: { type: 'boolean' }, maxItems: 4000 }
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, array]))
  expect(compileOutputSchema(closed(properties))).toMatchObject({ code: 'capacity_too_large' })
})
