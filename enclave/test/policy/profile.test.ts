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

test('a launch covers the application unless the descriptor says that it ends at the firmware', () => {
  const firmware = descriptor('confidential', { launch_covers: 'firmware' })
  expect(profileOf(descriptor('confidential'), 'confidential').launchCovers).toBe('app')
  expect(profileOf(firmware, 'confidential').launchCovers).toBe('firmware')
  expect(parseProfileDescriptor('confidential', firmware)).toMatchObject({ launch_covers: 'firmware' })
})

test('where it ends at the firmware no store is sealed to it: any image on that chip would have the key', () => {
  const more = { launch_covers: 'firmware', sealing: 'snp-derived' }
  expect(() => parseProfileDescriptor('confidential', descriptor('confidential', more))).toThrow(refused)
})

test.each(['app', null, true])('launch_covers %j is refused: each way has one spelling', (launch_covers) => {
  expect(() => parseProfileDescriptor('confidential', descriptor('confidential', { launch_covers }))).toThrow(
    refused,
  )
})

test.each(['software', 'embedded'] as const)('a %s profile has no launch to speak of', (name) => {
  expect(() => parseProfileDescriptor(name, descriptor(name, { launch_covers: 'firmware' }))).toThrow(refused)
})
