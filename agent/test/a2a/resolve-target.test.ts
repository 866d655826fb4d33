import { expect, test } from 'vitest'
import { resolveTarget } from '../../src/a2a/resolve-target.js'

const known = [
  { id: 'peer-1a', label: 'Zoë' },
  { id: 'peer-1b', label: 'peer-2' },
  { id: 'peer-2', label: null },
  { id: 'other', label: 'Twin' },
  { id: 'another', label: 'twin' },
]

test.each([
  ['peer-1a', 'peer-1a'],
  // An id wins over the label of another.
  ['peer-2', 'peer-2'],
  ['zoe\u0308', 'peer-1a'],
  ['ZOË', 'peer-1a'],
  ['oth', 'other'],
])('A2A-50: %s names %s', (text, id) => {
  expect(resolveTarget(text, known)).toBe(id)
})

test.each(['peer-1', 'twin', 'nobody', '', 'TWI'])('A2A-50: %j names nobody, or not one alone', (text) => {
  expect(() => resolveTarget(text, known)).toThrow(expect.objectContaining({ code: 'argument_invalid' }))
})
