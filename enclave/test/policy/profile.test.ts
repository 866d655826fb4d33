import { expect, test } from 'vitest'
import { parseProfileDescriptor, profileOf } from '../../src/policy/profile.js'

const descriptor = (name: string, more: object = {}) => ({
  version: 'parley-profile-v1',
  name,
  guardian_policy: 'bounded-signal-v1',
  surfaces: ['sealed-store'],
  ...more,
})
const refused = expect.objectContaining({ code: 'policy_malformed' }) as Error

test('a store is sealed in memory unless the descriptor says otherwise, and its hash tells which', () => {
  const memory = descriptor('confidential')
  const derived = descriptor('confidential', { sealing: 'snp-derived' })
  expect(profileOf(memory, 'confidential').sealing).toBe('memory')
  expect(profileOf(derived, 'confidential').sealing).toBe('snp-derived')
  expect(profileOf(memory, 'confidential').hash).not.toBe(profileOf(derived, 'confidential').hash)
  expect(parseProfileDescriptor('confidential', derived)).toMatchObject({ sealing: 'snp-derived' })
})

test.each(['memory', 'disk', null, true])('sealing %j is refused: each way has one spelling', (sealing) => {
  expect(() => parseProfileDescriptor('confidential', descriptor('confidential', { sealing }))).toThrow(
    refused,
  )
})

test.each(['software', 'embedded'] as const)('a %s profile has no processor to seal by', (name) => {
  expect(() => parseProfileDescriptor(name, descriptor(name, { sealing: 'snp-derived' }))).toThrow(refused)
})
