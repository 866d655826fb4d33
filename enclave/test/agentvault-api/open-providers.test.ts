import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAppraisalPolicy } from '@parley/attestation'
import { CLOSED_DATA_POLICY } from '@parley/guardian'
import { expect, test } from 'vitest'
import { examplePolicy } from '../../../scripts/src/example-policy.js'
import { openProviders } from '../../src/agentvault-api/open-providers.js'
import type { Provider } from '../../src/policy/providers.js'
import { fresh, temporaryDirectory } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { providerRow } from '../policy/provider-row.js'

function keyFile(mode = 0o600): string {
  const path = join(temporaryDirectory(), 'key')
  writeFileSync(path, 'secret\n', { mode })
  return path
}

const open = (rows: readonly Provider[], keys: Record<string, string>): readonly string[] => [
  ...openProviders({ providers: rows, data: CLOSED_DATA_POLICY }, keys, {
    clock: fakeClock(),
    random: fresh,
  }).keys(),
]

test('a provider with a key is opened under the name that profiles have for it', () => {
  const second = providerRow({ name: 'second', kind: 'openai' })
  expect(open([providerRow(), second], { main: keyFile(), second: keyFile() })).toEqual([
    'anthropic',
    'openai',
  ])
})

test('a provider without a key, and a local one, are not there', () => {
  const local = providerRow({ name: 'local', kind: 'local', host: '127.0.0.1', api_key: 'none' })
  expect(open([providerRow(), local], { local: keyFile() })).toEqual([])
})

test('a provider that attests is not there: nobody would be shown its evidence', () => {
  const hardware = parseAppraisalPolicy(examplePolicy())
  const attested = { hardware, image_digest: 'aa'.repeat(32), policy_bundle_hash: 'bb'.repeat(32) }
  expect(open([providerRow({ attested })], { main: keyFile() })).toEqual([])
})

test('of two providers of a kind the first with a key is meant', () => {
  expect(open([providerRow(), providerRow({ name: 'second' })], { second: keyFile() })).toEqual(['anthropic'])
})

test.each([
  ['of no provider', () => ({ other: keyFile() })],
  ['that others may read', () => ({ main: keyFile(0o644) })],
  ['that is not there', () => ({ main: join(temporaryDirectory(), 'none') })],
])('a key %s is config_malformed', (_, keys) => {
  expect(() => open([providerRow()], keys())).toThrow(expect.objectContaining({ code: 'config_malformed' }))
})
