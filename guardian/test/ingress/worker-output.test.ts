import { utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_FREE_TEXT, parseWorkerOutput } from '../../src/index.js'

test('A2A-41: what any worker prints is an object, never a throw; without JSON it is short text or nothing', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('{', '}', '"', '\\', ':', '{"a":1}', '[', ']'),
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const data = parseWorkerOutput(parts.join(''))
      const { output } = data
      if (typeof output === 'string') expect(utf8(output).length).toBeLessThanOrEqual(MOST_FREE_TEXT)
    }),
  )
})

test('A2A-41: an object is found before any prose, also prose with braces', () => {
  const value = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()))
  fc.assert(
    fc.property(value, fc.string(), (object, prose) => {
      const text = JSON.stringify(object).toWellFormed()
      expect(parseWorkerOutput(`${text}\n.${prose}`)).toEqual(JSON.parse(text))
    }),
  )
})

test('A2A-41: half a character is no text', () => {
  expect(parseWorkerOutput('a\ud800')).toEqual({})
})
