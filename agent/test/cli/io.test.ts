import { expect, test } from 'vitest'
import { printable } from '../../src/cli/io.js'

test('nothing that a terminal obeys is printed', () => {
  expect(printable('a\u001b[31mb\u009bc\u202ed\n')).toBe('a\\u001b[31mb\\u009bc\\u202ed\\u000a')
})

test('plain text is printed as it is', () => {
  expect(printable('{"overlap":"WIDE"}')).toBe('{"overlap":"WIDE"}')
})
