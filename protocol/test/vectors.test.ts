import { describe, expect, it } from 'vitest'
import { CONSUMERS } from './vectors/consumers.js'
import { readVectors } from './vectors/vector.js'

describe('every folder of vectors gives what it expects, over node:crypto', () => {
  it.each(readVectors().map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const consume = CONSUMERS[vector.kind]
    expect(consume, `nobody consumes the kind ${vector.kind}`).toBeDefined()
    expect(vector.text('SOURCE.md').length).toBeGreaterThan(0)
    consume?.(vector)
  })

  it('no consumer is left without a vector', () => {
    expect(new Set(readVectors().map(({ kind }) => kind))).toEqual(new Set(Object.keys(CONSUMERS)))
  })
})
