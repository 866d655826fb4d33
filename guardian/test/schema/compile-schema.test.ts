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
const thirteen = Array.from({ length: 13 }, (_, i) => `m${i}`)
const few = { type: 'integer', minimum: 0, maximum: 9 }
const tooMany = { type: 'array', items: { type: 'boolean' }, maxItems: 4096 }

describe('an output schema is refused', () => {
  test.each<[string, JsonValue, string, string]>([
    ['true, which admits anything', true, 'value_unbounded', ''],
    ['false, which admits nothing', false, 'schema_contradictory', ''],
    ['a text', 'string', 'schema_malformed', ''],
    ['an array', [], 'schema_malformed', ''],
    ['the empty schema', {}, 'value_unbounded', ''],
    ['annotations alone', { title: 'x' }, 'value_unbounded', ''],
    ['a free string', closed({ note: { type: 'string' } }), 'value_unbounded', '/properties/note'],
    ['a string that only its length bounds', { type: 'string', maxLength: 1 }, 'value_unbounded', ''],
    ['a pattern that is no text', { type: 'string', pattern: 1 }, 'schema_malformed', '/pattern'],
    ['a pattern that matches within', { type: 'string', pattern: 'a' }, 'pattern_unsupported', '/pattern'],
    ['a pattern without an end', { type: 'string', pattern: '^a*$' }, 'value_unbounded', ''],
    [
      'a pattern of no text so long',
      { type: 'string', pattern: '^a$', minLength: 2 },
      'schema_contradictory',
      '',
    ],
    ['a format', { type: 'string', format: 'date' }, 'keyword_unsupported', '/format'],
    ['a number between bounds', { type: 'number', minimum: 0, maximum: 1 }, 'value_unbounded', '/type'],
    ['a bare number', { type: 'number' }, 'value_unbounded', '/type'],
    ['an unknown type', { type: 'float' }, 'schema_malformed', '/type'],
    ['a free string in a type list', { type: ['string', 'null'] }, 'value_unbounded', ''],
    ['a number in a type list', { type: ['number', 'null'] }, 'value_unbounded', '/type'],
    ['an empty type list', { type: [] }, 'schema_malformed', '/type'],
    ['a type twice', { type: ['null', 'null'] }, 'schema_malformed', '/type'],
    ['an unknown type in a list', { type: ['null', 'float'] }, 'schema_malformed', '/type'],
    [
      'types that exclude each other',
      { type: 'null', allOf: [{ type: 'boolean' }] },
      'schema_contradictory',
      '',
    ],
    [
      'a reference to itself',
      closed({ a: { $ref: '#/properties/a' } }),
      'reference_cycle',
      '/properties/a/$ref',
    ],
    ['a reference to itself beside a type', { type: 'boolean', $ref: '#' }, 'reference_cycle', '/$ref'],
    ['a reference that is no text', { $ref: 1 }, 'reference_unresolved', '/$ref'],
    [
      'a reference with a broken escape',
      { $defs: { a: { const: 1 } }, $ref: '#/$defs/%' },
      'reference_unresolved',
      '/$ref',
    ],
    [
      'a reference into what is no schema',
      { $ref: '#/examples/0', examples: ['x'] },
      'schema_malformed',
      '/examples/0',
    ],
    [
      'a reference across an embedded document',
      {
        $defs: { a: { $id: 'https://example.org/a', $defs: { b: { const: 1 } } } },
        $ref: '#/$defs/a/$defs/b',
      },
      'reference_unresolved',
      '/$ref',
    ],
    [
      'a dialect below the root',
      closed({ a: { $schema: 'https://json-schema.org/draft/2020-12/schema', const: 1 } }),
      'keyword_unsupported',
      '/properties/a/$schema',
    ],
    [
      'a cycle through items',
      { type: 'array', items: { $ref: '#' }, maxItems: 1 },
      'reference_cycle',
      '/items/$ref',
    ],
    ['a union that is no list', { oneOf: { const: 1 } }, 'schema_malformed', '/oneOf'],
    [
      'a union of overlapping types',
      { oneOf: [{ type: 'boolean' }, { enum: [true, 1] }] },
      'union_not_disjoint',
      '/oneOf',
    ],
    [
      'a branch that is unbounded',
      { oneOf: [{ const: 1 }, { type: 'string' }] },
      'value_unbounded',
      '/oneOf/1',
    ],
    ['a branch that is no schema', { oneOf: [{ const: 1 }, 2] }, 'schema_malformed', '/oneOf/1'],
    ['the same alternative twice', { anyOf: [{ const: 1 }, { const: 1 }] }, 'union_not_disjoint', '/anyOf'],
    [
      'alternatives that are all impossible',
      { enum: [1], anyOf: [{ const: 2 }, { const: 3 }] },
      'schema_contradictory',
      '/anyOf',
    ],
    ['an empty allOf', { enum: [1], allOf: [] }, 'schema_malformed', '/allOf'],
    ['parts of which one is false', { enum: [1], allOf: [false] }, 'schema_contradictory', '/allOf/0'],
    ['not', { not: {} }, 'keyword_unsupported', '/not'],
    ['conditions', { type: 'boolean', if: {} }, 'keyword_unsupported', '/if'],
    ['const and enum without a common value', { const: 1, enum: [2] }, 'schema_contradictory', ''],
    ['a bound that no enumerated value meets', { enum: [1, 2], minimum: 3 }, 'schema_contradictory', ''],
    ['a malformed bound on an enum of texts', { enum: ['a'], minimum: 'x' }, 'schema_malformed', '/minimum'],
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
    ['an object in an enum with a fraction', { enum: ['a', { a: [0.5] }] }, 'number_not_exact', '/enum'],
    [
      'an object twice in an enum',
      {
        enum: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      'enum_duplicate',
      '/enum',
    ],
    ['a duplicate in an enum', { enum: ['a', 'b', 'a'] }, 'enum_duplicate', '/enum'],
    ['the two zeros', JSON.parse('{"enum":[0,-0]}') as JsonValue, 'enum_duplicate', '/enum'],
    ['one as 1 and 1.0', JSON.parse('{"enum":[1,1.0]}') as JsonValue, 'enum_duplicate', '/enum'],
    ['a fraction in an enum', { enum: [0.5] }, 'number_not_exact', '/enum'],
    ['a constant beyond the exact integers', { const: 2 ** 53 }, 'number_not_exact', '/const'],
    ['an enum of another type', { type: 'string', enum: [1, null] }, 'schema_contradictory', ''],
    ['a constant of another type', { type: 'object', const: null }, 'schema_contradictory', ''],
    ['a number typed as text', { type: 'string', const: 1 }, 'schema_contradictory', ''],
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
    ['multiples of nothing', { ...few, multipleOf: 0 }, 'schema_malformed', '/multipleOf'],
    ['multiples of a text', { ...few, multipleOf: '3' }, 'schema_malformed', '/multipleOf'],
    ['multiples of a fraction', { ...few, multipleOf: 0.5 }, 'number_not_exact', '/multipleOf'],
    ['no multiple within the bounds', { ...few, minimum: 1, multipleOf: 10 }, 'schema_contradictory', ''],
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
    ['more members than there are', closed({}, { minProperties: 1 }), 'schema_contradictory', ''],
    [
      'a count of members that is none',
      closed({}, { minProperties: -1 }),
      'schema_malformed',
      '/minProperties',
    ],
    [
      'a name that needs a number',
      closed({}, { dependentRequired: { a: [1] } }),
      'schema_malformed',
      '/dependentRequired/a',
    ],
    [
      'needs that are no object',
      closed({}, { dependentRequired: [] }),
      'schema_malformed',
      '/dependentRequired',
    ],
    [
      'more members that depend on one another than are tried',
      closed(Object.fromEntries(thirteen.map((name) => [name, { const: 1 }])), {
        dependentRequired: { m0: thirteen },
      }),
      'not_countable',
      '',
    ],
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
      'items by position, and a prefix',
      { type: 'array', items: [{ const: 1 }], prefixItems: [{ const: 1 }], maxItems: 1 },
      'keyword_unsupported',
      '/prefixItems',
    ],
    [
      'additional items without items by position',
      { type: 'array', items: { const: 1 }, additionalItems: false, maxItems: 1 },
      'keyword_unsupported',
      '/additionalItems',
    ],
    [
      'an empty prefix',
      { type: 'array', prefixItems: [], items: { const: 1 }, maxItems: 1 },
      'schema_malformed',
      '/prefixItems',
    ],
    [
      'a prefix that is no list',
      { type: 'array', prefixItems: {}, maxItems: 1 },
      'schema_malformed',
      '/prefixItems',
    ],
    [
      'a prefix with a free rest',
      { type: 'array', prefixItems: [{ const: 1 }], maxItems: 2 },
      'value_unbounded',
      '',
    ],
    [
      'more items than are admitted by position',
      { type: 'array', prefixItems: [{ const: 1 }], items: false, minItems: 2 },
      'schema_contradictory',
      '',
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
    ...[
      'type',
      'enum',
      'const',
      'items',
      'maxItems',
      'minItems',
      'uniqueItems',
      'prefixItems',
      'additionalItems',
    ],
    ...[
      'properties',
      'required',
      'additionalProperties',
      'minProperties',
      'dependentRequired',
      'minimum',
      'maximum',
    ],
    ...['multipleOf', 'pattern', 'maxLength', '$ref', '$defs', '$id', 'allOf', 'anyOf', 'oneOf'],
  )
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('object', 'array', 'integer', 'string', false, true, 1, '#', '#/$defs/a', '^a{2}$'),
    fc.constantFrom(['object', 'null'], [true], [{ const: 1 }, { $ref: '#' }], { a: { const: 'x' } }),
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
