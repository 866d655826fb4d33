import { expect, test } from 'vitest'
import { OutputShapeCache } from '../../src/index.js'

test('a schema is compiled once, however its members are ordered', () => {
  const cache = new OutputShapeCache(2)
  const first = cache.compile({ type: 'string', enum: ['a', 'b'] })
  expect(cache.compile({ enum: ['a', 'b'], type: 'string' })).toBe(first)
})

test('a refusal is kept too', () => {
  const cache = new OutputShapeCache(2)
  expect(cache.compile({})).toBe(cache.compile({}))
})

test('beyond its size the schema that was used longest ago is dropped', () => {
  const cache = new OutputShapeCache(2)
  const a = cache.compile({ const: 'a' })
  const b = cache.compile({ const: 'b' })
  cache.compile({ const: 'a' })
  cache.compile({ const: 'c' })
  expect(cache.compile({ const: 'a' })).toBe(a)
  expect(cache.compile({ const: 'b' })).not.toBe(b)
})
