import { type JsonValue, parseJson } from '@parley/protocol'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainCapacity } from '../../src/capacity/explain-capacity.js'
import { compileOutputSchema } from '../../src/index.js'

const rows = (schema: JsonValue) => {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) throw new Error(compiled.code)
  return explainCapacity(compiled.shape)
}

test('an object is explained by the members whose bits add up to its own', () => {
  const schema = {
    type: 'object',
    properties: {
      fit: { enum: ['A', 'B', 'C'] },
      note: { type: 'boolean' },
      reasons: { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 2, uniqueItems: true },
    },
    required: ['fit', 'reasons'],
    additionalProperties: false,
  }
  expect(rows(schema)).toEqual([
    { pointer: '', outputs: '45', bits: 5.492, why: 'objects of 3 members: their product' },
    { pointer: '/properties/fit', outputs: '3', bits: 1.585, why: '3 listed values' },
    { pointer: '/properties/note', outputs: '2', bits: 1.585, why: '2 listed values, or absent' },
    { pointer: '/properties/reasons', outputs: '5', bits: 2.322, why: 'arrays of 0 to 2 items, none twice' },
    { pointer: '/properties/reasons/items', outputs: '2', bits: 1, why: '2 listed values' },
  ])
})

test('a definition is explained once, however often it is used', () => {
  const $defs: Record<string, JsonValue> = { d0: { enum: ['a', 'b'] } }
  for (let i = 1; i <= 10; i++) {
    const $ref = `#/$defs/d${i - 1}`
    $defs[`d${i}`] = {
      type: 'object',
      properties: { a: { $ref }, b: { $ref } },
      required: ['a', 'b'],
      additionalProperties: false,
    }
  }
  expect(rows({ $defs, $ref: '#/$defs/d10' })).toHaveLength(1 + 2 * 10)
})

test('alternatives are explained one by one; listed values are not', () => {
  const alternatives = { oneOf: [{ type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 }, { const: 'x' }] }
  expect(rows(alternatives).map(({ pointer, outputs }) => [pointer, outputs])).toEqual([
    ['', '5'],
    ['/oneOf/0', '4'],
    ['/oneOf/1', '1'],
  ])
  expect(rows({ enum: [[1], [2], { a: 3 }] })).toHaveLength(1)
})

test('every counted vector is explained, with its count in the first row and no word of its schema', () => {
  const folder = new URL('../../vectors/capacity/', import.meta.url)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'expect.json')
  for (const name of names) {
    const compiled = compileOutputSchema(parseJson(readFileSync(new URL(name, folder))))
    if (!compiled.ok) continue
    const explained = explainCapacity(compiled.shape)
    expect(explained[0]?.outputs).toBe(compiled.shape.outputs.toString())
    expect(explained.map(({ why }) => why).join(' ')).not.toMatch(/\b[VR]\d\b|agentvault|slot/)
  }
})
