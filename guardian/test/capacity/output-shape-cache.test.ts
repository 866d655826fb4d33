import { expect, test } from 'vitest'
import { OutputShapeCache, type OutputShape } from '../../src/index.js'
import { hash, type JsonValue } from '@parley/protocol'

const shapeOf = (cache: OutputShapeCache, schema: JsonValue): OutputShape => {
  const compiled = cache.compile(schema)
  if (!compiled.ok) throw new Error(compiled.code)
  return compiled.shape
}

const keep = (cache: OutputShapeCache, schema: JsonValue): OutputShape => {
  const output = shapeOf(cache, schema)
  cache.keep({ output_schema_hash: hash(schema), output })
  return output
}

test('a kept shape is not compiled again, however the members of its schema are ordered', () => {
  const cache = new OutputShapeCache(2)
  const first = keep(cache, { type: 'string', enum: ['a', 'b'] })
  expect(shapeOf(cache, { enum: ['a', 'b'], type: 'string' })).toBe(first)
})

test('what is only compiled, or refused, is not kept', () => {
  const cache = new OutputShapeCache(2)
  expect(shapeOf(cache, { const: 'a' })).not.toBe(shapeOf(cache, { const: 'a' }))
  expect(cache.compile({})).not.toBe(cache.compile({}))
})

test('beyond its size the shape that was used longest ago is dropped', () => {
  const cache = new OutputShapeCache(2)
  const a = keep(cache, { const: 'a' })
  const b = keep(cache, { const: 'b' })
  shapeOf(cache, { const: 'a' })
  keep(cache, { const: 'c' })
  expect(shapeOf(cache, { const: 'a' })).toBe(a)
  expect(shapeOf(cache, { const: 'b' })).not.toBe(b)
})
