import { REFUSALS } from '@parley/protocol'
import { expect, test } from 'vitest'
import { REFUSAL_TEXT } from '../src/refusal-text.js'

test('each refusal of the protocol has a sentence of its own, and nothing else has', () => {
  expect(Object.keys(REFUSAL_TEXT).sort()).toEqual(Object.keys(REFUSALS).sort())
  const sentences = Object.values(REFUSAL_TEXT)
  expect(new Set(sentences).size).toBe(sentences.length)
  for (const sentence of sentences) expect(sentence).toMatch(/^[\x20-\x7e]{20,}[^.]$/)
})
