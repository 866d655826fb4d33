import {
  fromBase64url,
  keysetDigest,
  parseKeyConfigs,
  parseKeyset,
  startRequest,
  openRequest,
  toBase64url,
} from '@parley/protocol'
import { expect, test } from 'vitest'
import { makeRelayKeys } from '../../src/keys/make-relay-keys.js'
import { loadPolicyBundle } from '../../src/policy-bundle.js'
import { bytes, fresh, POLICY_DIRECTORY, testKeys } from '../boot.js'

const NOW = 1_800_000_000
const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'software')
const terms = { keyId: 7, bundle, image_digest: null, previous: null, now: NOW }

test('a keyset says what the relay is, and for how long', () => {
  const { keyset, keysetDigest: digest, receiptKey, logKey } = makeRelayKeys(terms, fresh)
  expect(parseKeyset(keyset)).toEqual(keyset)
  expect(digest).toBe(keysetDigest(keyset))
  expect(keyset.receipt_key).toBe(toBase64url(receiptKey.publicKey))
  expect(keyset.log_key).toBe(toBase64url(logKey.publicKey))
  expect(keyset.release.policy_bundle_hash).toBe(bundle.hash)
  expect(keyset.release.profile_hash).toBe(bundle.profile.hash)
  expect(keyset.not_after - keyset.not_before).toBe(bundle.limits.keyset_lifetime_seconds)
})

test('a request sealed to the keyset opens under the gateway key', () => {
  const { keyset, gateway } = testKeys()
  const configs = parseKeyConfigs(fromBase64url(keyset.ohttp_keys))
  expect(configs.map(({ keyId }) => keyId)).toEqual([7])
  const [config = gateway.config] = configs
  expect(openRequest(gateway, startRequest(config).seal(bytes('hello'))).bhttp).toEqual(bytes('hello'))
})

test.each([
  ['confidential', 'sev-snp'],
  ['software', 'software'],
] as const)('the %s profile has the lane and platform %s of its own', (profile, platform) => {
  const { keyset } = testKeys(profile)
  expect([keyset.lane, keyset.platform, keyset.release.profile]).toEqual([profile, platform, profile])
})

test('no two boots share a key, an epoch or a sealing key', () => {
  const [one, two] = [testKeys(), testKeys()]
  for (const member of ['epoch', 'ohttp_keys', 'receipt_key', 'log_key'] as const)
    expect(one.keyset[member]).not.toBe(two.keyset[member])
  expect(one.sealingKey).not.toEqual(two.sealingKey)
})

test.each([
  ['an image digest that is none', { image_digest: 'abc' }, 'object_malformed'],
  ['an earlier keyset that is none', { previous: 'abc' }, 'object_malformed'],
  ['a key id of two octets', { keyId: 256 }, 'key_refused'],
])('%s is refused', (_, change, code) => {
  expect(() => makeRelayKeys({ ...terms, ...change }, fresh)).toThrow(expect.objectContaining({ code }))
})
