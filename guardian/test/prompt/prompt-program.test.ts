import { hash, type JsonValue, ProtocolError } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePromptProgram } from '../../src/prompt/index.js'
import { programObject } from './prompt-objects.js'

const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

test('a prompt program keeps every member, so that it hashes as the object that was read', () => {
  expect(hash(parsePromptProgram(programObject))).toBe(hash(programObject))
})

test('a prompt program for prose is read', () => {
  const prose = { ...programObject, input_format: 'narrative' }
  expect(parsePromptProgram(prose).input_format).toBe('narrative')
})

test.each(Object.keys(programObject))('a prompt program without %s is refused', (member) => {
  const rest = Object.entries(programObject).filter(([name]) => name !== member)
  expect(() => parsePromptProgram(Object.fromEntries(rest))).toThrow(malformed)
})

test.each<[string, JsonValue]>([
  ['null', null],
  ['a list', []],
  ['an unknown member', { ...programObject, temperature: 0 }],
  ['another version', { ...programObject, version: '1.0.1' }],
  ['a version as a number', { ...programObject, version: 1 }],
  ['no instruction', { ...programObject, system_instruction: '' }],
  ['an instruction over 64 Ki characters', { ...programObject, system_instruction: 'x'.repeat(65_537) }],
  ['an unknown input format', { ...programObject, input_format: 'xml' }],
])('%s is refused as a prompt program', (_, value) => {
  expect(() => parsePromptProgram(value)).toThrow(malformed)
})

test('whatever is parsed, nothing but a ProtocolError is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        parsePromptProgram(value as JsonValue)
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }),
  )
})
