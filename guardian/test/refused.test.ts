import { expect, test } from 'vitest'
import { describeRefused } from '../src/index.js'
import { below, refused } from '../src/refused.js'

test('a refusal is one line: code, figures where there are any, pointer', () => {
  expect(describeRefused(refused('object_open', '/a'))).toBe('object_open /a')
  expect(describeRefused(refused('too_many', '/a', 'bits 7 over budget 6'))).toBe(
    'too_many (bits 7 over budget 6) /a',
  )
})

test('a refusal keeps its figures when its pointer grows', () => {
  expect(below('/b', refused('too_many', '/a', 'x'))).toEqual({
    ok: false,
    code: 'too_many',
    pointer: '/b/a',
    detail: 'x',
  })
})
