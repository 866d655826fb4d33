import type { JsonObject, JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { anthropicSchema } from '../../../src/model/schema/anthropic-schema.js'
import { geminiSchema } from '../../../src/model/schema/gemini-schema.js'
import { localSchema } from '../../../src/model/schema/local-schema.js'
import { fitsStrictMode, openAiSchema } from '../../../src/model/schema/openai-schema.js'

const DIALECTS = {
  anthropic: anthropicSchema,
  openai: openAiSchema,
  gemini: geminiSchema,
  local: localSchema,
}

type Vector = readonly [
  name: string,
  schema: JsonObject,
  out: Readonly<Record<keyof typeof DIALECTS, JsonValue>>,
]

const same = (value: JsonValue) => ({ anthropic: value, openai: value, gemini: value, local: value })

const integer = { type: 'integer', minimum: 1, maximum: 5 }
const bare = { type: 'integer' }
const exclusive = { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 6 }
const text = { type: 'string', minLength: 1, maxLength: 9, pattern: '^[A-Z]{3}$' }
const array = (more: JsonObject) => ({ type: 'array', items: bare, ...more })
const closed = { type: 'object', properties: { a: bare }, required: ['a'], additionalProperties: false }
const either = [{ type: 'null' }, bare]

const VECTORS: readonly Vector[] = [
  ['bounds of an integer', integer, { anthropic: bare, openai: integer, gemini: integer, local: integer }],
  ['exclusive bounds', exclusive, { anthropic: bare, openai: exclusive, gemini: bare, local: exclusive }],
  [
    'lengths and a pattern',
    text,
    {
      anthropic: { type: 'string' },
      openai: { type: 'string', pattern: '^[A-Z]{3}$' },
      gemini: { type: 'string' },
      local: text,
    },
  ],
  [
    'a large array',
    array({ minItems: 2, maxItems: 3, uniqueItems: true }),
    {
      ...same(array({ minItems: 2, maxItems: 3 })),
      anthropic: array({}),
    },
  ],
  [
    'a small array',
    array({ minItems: 1, maxItems: 1 }),
    { ...same(array({ minItems: 1, maxItems: 1 })), anthropic: array({ minItems: 1 }) },
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [integer], items: false, minItems: 1, maxItems: 1 },
    {
      anthropic: { type: 'array', minItems: 1 },
      openai: { type: 'array', items: false, minItems: 1, maxItems: 1 },
      gemini: { type: 'array', prefixItems: [integer], items: false, minItems: 1, maxItems: 1 },
      local: { type: 'array', prefixItems: [integer], items: false, minItems: 1, maxItems: 1 },
    },
  ],
  ['texts without a type', { enum: ['A', 'B'] }, same({ type: 'string', enum: ['A', 'B'] })],
  [
    'a mixed enumeration',
    { enum: ['A', null] },
    {
      ...same({ type: ['null', 'string'], enum: ['A', null] }),
      gemini: { type: ['null', 'string'] },
    },
  ],
  [
    'a constant',
    { const: 3 },
    { ...same({ type: 'integer', const: 3 }), gemini: { type: 'integer', enum: [3] } },
  ],
  [
    'a constant truth',
    { const: true },
    { ...same({ type: 'boolean', const: true }), gemini: { type: 'boolean' } },
  ],
  [
    'exclusive alternatives',
    { oneOf: either },
    {
      anthropic: { anyOf: either },
      openai: { anyOf: either },
      gemini: { oneOf: either },
      local: { oneOf: either },
    },
  ],
  [
    'an object that is not said to be closed',
    { type: 'object', properties: { a: bare }, required: ['a'] },
    same(closed),
  ],
  ['an open object', { ...closed, additionalProperties: true }, same(closed)],
  [
    'notes of other products',
    {
      ...bare,
      $schema: 'x',
      $id: 'y',
      'x-vcav-entropy-bits-upper-bound': 3,
      default: 1,
      examples: [1],
      $comment: 'c',
    },
    same(bare),
  ],
  [
    'a title and a description',
    { ...bare, title: 't', description: 'd' },
    same({ ...bare, title: 't', description: 'd' }),
  ],
  [
    'a reference with something beside it',
    { $ref: '#/$defs/a', description: 'd' },
    same({ $ref: '#/$defs/a' }),
  ],
  [
    'definitions of draft-07',
    { $ref: '#/definitions/a', definitions: { a: { enum: ['A'] } } },
    {
      ...same({ $ref: '#/definitions/a', definitions: { a: { type: 'string', enum: ['A'] } } }),
      gemini: { $ref: '#/$defs/a', $defs: { a: { type: 'string', enum: ['A'] } } },
    },
  ],
  [
    'properties that are called like keywords',
    { ...closed, properties: { a: bare, uniqueItems: bare, 'x-a': bare, const: bare } },
    same({ ...closed, properties: { a: bare, uniqueItems: bare, 'x-a': bare, const: bare } }),
  ],
]

describe.each(Object.entries(DIALECTS))('for %s', (name, strip) => {
  test.each(
    VECTORS.map(([what, schema, out]) => [what, schema, out[name as keyof typeof DIALECTS]] as const),
  )('%s becomes what it takes', (_, schema, out) => {
    expect(strip(schema)).toEqual(out)
  })

  test('what it takes stays as it is', () => {
    for (const [, schema] of VECTORS) expect(strip(strip(schema))).toEqual(strip(schema))
  })

  test('the schema that was given is left alone', () => {
    for (const [, schema] of VECTORS) {
      const before = JSON.stringify(schema)
      strip(schema)
      expect(JSON.stringify(schema)).toBe(before)
    }
  })

  test('keywords are left out at every depth', () => {
    const deep = array({ items: { anyOf: [{ ...closed, properties: { a: array({ uniqueItems: true }) } }] } })
    expect(JSON.stringify(strip(deep))).not.toContain('uniqueItems')
  })

  test('a property called __proto__ is a property like another', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"enum":["A"]}}}') as JsonObject
    expect(JSON.stringify(strip(schema))).toContain('"__proto__":{')
  })
})

const values = (count: number) => Array.from({ length: count }, (_, at) => `V${at}`)

test.each<[string, JsonObject]>([
  ['an object whose members are all required', closed],
  ['a thousand values', { ...closed, properties: { a: { type: 'string', enum: values(1000) } } }],
])('%s fits OpenAI’s strict mode', (_, schema) => {
  expect(fitsStrictMode(schema)).toBe(true)
})

test.each<[string, JsonObject]>([
  ['a root that is no object', bare],
  ['alternatives at the root', { anyOf: [closed] }],
  ['an optional member', { ...closed, required: [] }],
  ['an optional member further in', { ...closed, properties: { a: { ...closed, required: [] } } }],
  ['an optional member of a definition', { ...closed, $defs: { b: { ...closed, required: [] } } }],
  ['no list of required members', { type: 'object', properties: { a: bare }, additionalProperties: false }],
  ['more than a thousand values', { ...closed, properties: { a: { type: 'string', enum: values(1001) } } }],
])('%s does not fit OpenAI’s strict mode', (_, schema) => {
  expect(fitsStrictMode(schema)).toBe(false)
})
