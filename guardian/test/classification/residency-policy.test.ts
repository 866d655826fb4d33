import { expect, test } from 'vitest'
import { parseResidencyPolicy } from '../../src/index.js'
import { RESIDENCY } from './policies.js'

test('the shipped residency is read', () => {
  expect(parseResidencyPolicy(RESIDENCY)).toEqual(RESIDENCY)
})

test.each([
  ['another version', { version: 'v2' }],
  ['an unknown residency', { data_residency: 'us' }],
  ['no residency', { data_residency: null }],
  ['an unknown preset', { preset: 'EU_STAGING' }],
  ['a preset in small letters', { preset: 'eu_production' }],
  ['a member more', { exceptions: [] }],
])('A2A-30: a residency with %s is refused', (_, change) => {
  expect(() => parseResidencyPolicy({ ...RESIDENCY, ...change })).toThrow(
    expect.objectContaining({ code: 'object_malformed' }),
  )
})

test.each(Object.keys(RESIDENCY))('a residency without %s is refused', (member) => {
  const { [member]: _left, ...rest } = RESIDENCY
  expect(() => parseResidencyPolicy(rest)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
})
