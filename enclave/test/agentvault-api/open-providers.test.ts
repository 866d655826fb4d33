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

const row = (change: Partial<Provider> = {}): Provider => ({
  name: 'main',
  kind: 'anthropic',
  host: 'api.example.com',
  port: 443,
  roots: [],
  account: 'account',
  api_key: 'required',
  attested: null,
  model_file: null,
  ...change,
})

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
  const second = row({ name: 'second', kind: 'openai' })
  expect(open([row(), second], { main: keyFile(), second: keyFile() })).toEqual(['anthropic', 'openai'])
})

test('a provider without a key, and a local one, are not there', () => {
  const local = row({ name: 'local', kind: 'local', host: '127.0.0.1', api_key: 'none' })
  expect(open([row(), local], { local: keyFile() })).toEqual([])
})

test('a provider that attests is not there: nobody would be shown its evidence', () => {
  const hardware = parseAppraisalPolicy(examplePolicy())
  const attested = { hardware, image_digest: 'aa'.repeat(32), policy_bundle_hash: 'bb'.repeat(32) }
  expect(open([row({ attested })], { main: keyFile() })).toEqual([])
})

test('of two providers of a kind the first with a key is meant', () => {
  expect(open([row(), row({ name: 'second' })], { second: keyFile() })).toEqual(['anthropic'])
})

test.each([
  ['of no provider', () => ({ other: keyFile() })],
  ['that others may read', () => ({ main: keyFile(0o644) })],
  ['that is not there', () => ({ main: join(temporaryDirectory(), 'none') })],
])('a key %s is config_malformed', (_, keys) => {
  expect(() => open([row()], keys())).toThrow(expect.objectContaining({ code: 'config_malformed' }))
})
