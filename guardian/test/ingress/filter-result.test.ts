import { canonicalize, type JsonObject, type JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filterResult } from '../../src/index.js'

const one = (schema: JsonObject, value: JsonValue) =>
  filterResult({ a: value }, { properties: { a: schema } }).data
const declares = (schema: JsonObject): JsonObject => ({ type: 'object', properties: schema })

describe('A2A-42: a result', () => {
  test.each<[string, JsonObject]>([
    ['no members', {}],
    ['no properties', { type: 'object' }],
    ['properties that are a list', { properties: ['a'] }],
    ['properties that are null', { properties: null }],
    ['a property that is a flag', { properties: { a: true } }],
  ])('under a schema with %s is empty', (_, schema) => {
    expect(filterResult({ a: 1, b: 2 }, schema)).toEqual({ data: {}, passed: 0, rejected: 2 })
  })

  test('keeps what is declared, drops the rest, and counts both', () => {
    const schema = declares({ verdict: { type: 'string' }, score: { type: 'integer' } })
    const result = { verdict: 'MATCH', score: 3, prompt: 'secret', path: '/home' }
    expect(filterResult(result, schema)).toEqual({
      data: { verdict: 'MATCH', score: 3 },
      passed: 2,
      rejected: 2,
    })
  })

  test('is narrowed at every level, also inside lists', () => {
    const row = declares({ name: { type: 'string' } })
    const schema = declares({ rows: { type: 'array', items: row }, who: row, raw: { type: 'object' } })
    const result = { rows: [{ name: 'x', key: 1 }, 5], who: { name: 'y', key: 2 }, raw: { key: 3 } }
    expect(filterResult(result, schema).data).toEqual({ rows: [{ name: 'x' }], who: { name: 'y' }, raw: {} })
  })

  test.each<[string, JsonObject, JsonValue]>([
    ['of another kind', { type: 'string' }, 5],
    ['that is an object where a text is declared', { type: 'string' }, { key: 1 }],
    ['that is null where it may not', { type: 'integer' }, null],
    ['with a fraction', { type: 'number' }, 0.5],
    ['beyond 2^53', {}, 2 ** 60],
    ['that is not listed', { enum: ['A', 'B'] }, 'C'],
    ['under a list that is none', { enum: 'A' }, 'A'],
    ['other than the constant', { const: 1 }, 2],
    ['longer than declared', { type: 'string', maxLength: 3 }, 'four'],
    ['under a length that is none', { type: 'string', maxLength: '9' }, 'x'],
    ['under a kind that is none', { type: { string: true } }, 'x'],
  ])('loses a value %s', (_, schema, value) => {
    expect(one(schema, value)).toEqual({})
  })

  test.each<[string, JsonObject, JsonValue]>([
    ['of any kind where none is declared', {}, true],
    ['of one of the kinds', { type: ['null', 'string'] }, null],
    ['that is an integer where a number is declared', { type: 'number' }, 5],
    ['that is listed', { enum: ['A', { b: 1 }] }, 'A'],
    ['as long as declared, in code points', { maxLength: 2 }, '\u{1f600}\u{1f600}'],
  ])('keeps a value %s', (_, schema, value) => {
    expect(one(schema, value)).toEqual({ a: value })
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'has no member %s by descent alone',
    (name) => {
      const result = JSON.parse(`{"${name}":{"x":1}}`) as JsonObject
      expect(filterResult(result, declares({}))).toEqual({ data: {}, passed: 0, rejected: 1 })
      const kept = filterResult(result, JSON.parse(`{"properties":{"${name}":{}}}`) as JsonObject).data
      expect(Object.hasOwn(kept, name)).toBe(true)
      expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
    },
  )

  test('is only ever narrowed, twice no more than once, and nothing throws', () => {
    const value = fc.jsonValue() as fc.Arbitrary<JsonValue>
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value) as fc.Arbitrary<JsonObject>
    const leaf = fc.constantFrom<JsonObject>(
      {},
      { type: 'string' },
      { type: ['array', 'null'], items: {} },
      { enum: [1, 'x'] },
    )
    const schema = fc.dictionary(fc.constantFrom('a', 'b'), leaf).map((properties) => ({ properties }))
    fc.assert(
      fc.property(object, schema, (result, declared) => {
        const { data } = filterResult(result, declared)
        expect(canonicalize(data).length).toBeLessThanOrEqual(canonicalize(result).length)
        expect(filterResult(data, declared).data).toEqual(data)
        expect(Object.keys(data).every((name) => Object.hasOwn(declared.properties, name))).toBe(true)
      }),
    )
  })
})
