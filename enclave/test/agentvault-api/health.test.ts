import { hash } from '@parley/protocol'
import { expect, test } from 'vitest'
import { agentVaultClient } from './agentvault-client.js'
import { NARROWING, POLICY, SCHEMA } from './artefacts.js'
import { openTestApi } from './open-test-api.js'

test('health has the members of theirs, with the key of the receipts', async () => {
  const api = await openTestApi()
  expect(await agentVaultClient(api.url).health()).toEqual({
    status: 'ok',
    version: '0.1.0',
    git_sha: 'parley-0.1.0',
    execution_lane: 'API_MEDIATED',
    provider: 'redacted',
    model_id: 'redacted',
    verifying_key_hex: api.verifyingKeyHex,
    policy_summary: {
      policy_id: 'codes_only',
      policy_hash: hash(POLICY),
      model_profile_allowlist: [],
      enforcement_rules: ['no_numerals'],
    },
    loaded_policy_hashes: [hash(POLICY), hash(NARROWING)],
  })
})

test('a developer sees which provider would be asked', async () => {
  const api = await openTestApi({ config: { dev: true } })
  expect(await agentVaultClient(api.url).health()).toMatchObject({
    provider: 'anthropic',
    model_id: 'by_profile',
  })
})

test('capabilities have the members of theirs', async () => {
  const api = await openTestApi()
  expect(await agentVaultClient(api.url).capabilities()).toEqual({
    execution_lane: 'API_MEDIATED',
    providers: ['anthropic'],
    purposes: ['COMPATIBILITY', 'SCHEDULING', 'MEDIATION', 'NEGOTIATION', 'SCHEDULING_COMPAT_V1'],
    entropy_enforcement: 'ADVISORY',
    receipt_schema_version: '1.0.0',
    enforcement_capabilities: expect.arrayContaining(['enforcement.unicode_category_reject.v1']) as string[],
    available_schema_hashes: [hash(SCHEMA)],
    available_policy_hashes: [hash(POLICY), hash(NARROWING)],
  })
})
