import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asciiJson, printable, printableLines } from '../src/printable.js'

const EVIL = 'a\u001b[2J\u009b1;32m\u202eb\u007f\ud83d\ude00'

it('a text has nothing left that a terminal obeys', () => {
  expect(printable(`${EVIL}\n`)).toBe('a\\u{1b}[2J\\u{9b}1;32m\\u{202e}b\\u{7f}\\u{1f600}\\u{a}')
  expect(printableLines('a\u009b\nb')).toBe('a\\u{9b}\nb')
})

it('a JSON document is ASCII, and the same value', () => {
  const value = { [EVIL]: [EVIL], plain: 'x' }
  const text = asciiJson(value)
  expect(text).toMatch(/^[\n\x20-\x7e]+$/)
  expect(text).toContain('\\u009b')
  expect(JSON.parse(text)).toEqual(value)
})

it('any value keeps its meaning in ASCII', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      const text = asciiJson(value)
      expect(text).toMatch(/^[\n\x20-\x7e]*$/)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
