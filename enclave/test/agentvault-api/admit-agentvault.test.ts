import { hash } from '@parley/protocol'
import { beforeEach, expect, test } from 'vitest'
import { type AgentVaultClient, agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT, NARROWING, POLICY, PROFILE, SCHEMA } from './artefacts.js'
import { openTestApi, type TestApi } from './open-test-api.js'

let api: TestApi
let client: AgentVaultClient
beforeEach(async () => {
  api = await openTestApi()
  client = agentVaultClient(api.url)
})

test.each<[string, object, RegExp]>([
  [
    'another policy',
    { enforcement_policy_hash: '00'.repeat(32) },
    /enforcement_policy_hash is not available/,
  ],
  ['a policy that narrows', { enforcement_policy_hash: hash(NARROWING) }, /recipient_narrowing/],
  ['another relay', { relay_verifying_key_hex: '00'.repeat(32) }, /relay_verifying_key_hex/],
  [
    'more time than the relay gives',
    { session_ttl_secs: 601 },
    /session_ttl_secs \(601\) exceeds relay maximum \(600\)/,
  ],
  ['a longer invite than the relay keeps', { invite_ttl_secs: 604_801 }, /invite_ttl_secs/],
  ['an unknown prompt', { prompt_template_hash: '00'.repeat(32) }, /prompt_program_unknown/],
  ['an unknown profile', { model_profile_hash: '00'.repeat(32) }, /model_profile_unknown/],
  ['a profile of another id', { model_profile_id: 'another' }, /model_profile_mismatch/],
  ['no profile hash', { model_profile_hash: null }, /model_profile_missing/],
  ['another schema hash', { output_schema_hash: '00'.repeat(32) }, /output_schema_hash_mismatch/],
  [
    'another provider',
    { model_constraints: { allowed_providers: ['openai'], allowed_models: [] } },
    /provider_refused/,
  ],
  [
    'another model',
    { model_constraints: { allowed_providers: [], allowed_models: ['other*'] } },
    /model_refused/,
  ],
  [
    'a schema of free text',
    {
      output_schema: {
        type: 'object',
        properties: { say: { type: 'string' } },
        required: ['say'],
        additionalProperties: false,
      },
    },
    /\/output_schema\/properties\/say/,
  ],
  ['a schema of anything', { output_schema: {} }, /\/output_schema/],
  ['a `local` model', { evaluator: 'local' }, /evaluator_unavailable/],
  [
    'more bits than its budget, under Gate',
    { entropy_budget_bits: 1, entropy_enforcement: 'Gate' },
    /capacity_exceeds_budget/,
  ],
])('a contract that asks for %s is 400 before anybody hands over an input', async (_, change, body) => {
  const created = client.createSession({ ...MODEL_CONTRACT, ...change })
  await expect(created).rejects.toMatchObject({ status: 400, body: expect.stringMatching(body) as string })
  await expect(created).rejects.toMatchObject({
    body: expect.stringMatching(/^\{"error":"Contract validation failed: /) as string,
  })
})

test('more bits than its budget are taken under Advisory, as AgentVault takes them', async () => {
  await expect(client.createSession({ ...MODEL_CONTRACT, entropy_budget_bits: 1 })).resolves.toMatchObject({})
})

test('a schema may be named by its hash alone', async () => {
  const stub = { ...MODEL_CONTRACT, output_schema: {}, output_schema_hash: hash(SCHEMA) }
  expect(await client.createSession(stub)).toMatchObject({ contract_hash: hash(stub) })
})

test('a policy and a key may be named that the relay has', async () => {
  const pinned = {
    ...MODEL_CONTRACT,
    enforcement_policy_hash: hash(POLICY),
    relay_verifying_key_hex: api.verifyingKeyHex,
    session_ttl_secs: 600,
  }
  expect(await client.createSession(pinned)).toMatchObject({ contract_hash: hash(pinned) })
})

test.each(['openai', 'gemini', 'nobody'])('provider %s, which the relay has not, is 400', async (name) => {
  await expect(client.createSession(MODEL_CONTRACT, name)).rejects.toMatchObject({ status: 400 })
})

test.each(['anthropic', ''])('provider "%s" is what clients send without a wish', async (name) => {
  await expect(client.createSession(CEL_CONTRACT, name)).resolves.toMatchObject({})
})

test('a profile of a provider that the relay has not is 400', async () => {
  expect(PROFILE['provider']).toBe('anthropic')
  const { url } = await openTestApi({ withoutProviders: true })
  await expect(agentVaultClient(url).createSession(MODEL_CONTRACT)).rejects.toMatchObject({
    status: 400,
    body: expect.stringContaining('is not configured on this relay') as string,
  })
})
