import { hash, type JsonValue, ProtocolError } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseModelProfile } from '../../src/prompt/index.js'
import { profileObject } from './prompt-objects.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

test('a profile of AgentVault has its hash here too', () => {
  expect(hash(parseModelProfile(profileObject))).toMatch(/^a83a4e7f/)
})

test.each([
  ['openai', 'gpt-5'],
  ['gemini', 'gemini-3.1-flash-lite-preview'],
  ['local', 'qwen2.5-0.5b-instruct-q4_k_m.gguf'],
  ['openai', 'meta-llama/Llama-3.1-8B-Instruct:free'],
])('a profile of %s may name the model %s', (provider, model_id) => {
  expect(parseModelProfile({ ...profileObject, provider, model_id })).toMatchObject({ provider, model_id })
})

test.each(Object.keys(profileObject))('a profile without %s is refused', (member) => {
  const rest = Object.entries(profileObject).filter(([name]) => name !== member)
  expect(() => parseModelProfile(Object.fromEntries(rest))).toThrow(malformed)
})

test.each<[string, JsonValue]>([
  ['null', null],
  ['a list', []],
  ['an unknown member', { ...profileObject, temperature: 0 }],
  ['another version', { ...profileObject, profile_version: '2' }],
  ['an unknown provider', { ...profileObject, provider: 'mistral' }],
  ['a provider in another case', { ...profileObject, provider: 'Anthropic' }],
  ['a model with a space', { ...profileObject, model_id: 'a b' }],
  ['a model with a line end', { ...profileObject, model_id: 'a\n' }],
  ['a model with a query', { ...profileObject, model_id: 'a?key=b' }],
  ['a model that begins with a dot', { ...profileObject, model_id: '../a' }],
  ['no model', { ...profileObject, model_id: '' }],
  ['another reasoning mode', { ...profileObject, reasoning_mode: 'high' }],
  ['an output that is not constrained', { ...profileObject, structured_output: false }],
])('%s is refused as a profile', (_, value) => {
  expect(() => parseModelProfile(value)).toThrow(malformed)
})

test('whatever is parsed, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        parseModelProfile(value as JsonValue)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }),
  )
})
