import {
  agentVaultKeyFingerprint,
  parseAgentVaultReceiptV1,
  parseAgentVaultReceiptV2,
  parseEd25519PublicKey,
  verifyAgentVaultReceiptV1,
  verifyAgentVaultReceiptV2,
  fromHex,
  hash,
  type JsonObject,
} from '@parley/protocol'
import { expect, test } from 'vitest'
import { agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT, POLICY, PROFILE, PROMPT, SCHEMA } from './artefacts.js'
import { openTestApi } from './open-test-api.js'
import { says, scriptedProvider } from './scripted-provider.js'
import { contentHash } from './verify-as-agentvault.js'

const OUTPUT = { fit: 'GOOD', confidence: 'LOW' }
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

async function receiptsOf(contract: JsonObject, inputs: readonly [JsonObject, JsonObject]) {
  const api = await openTestApi({ provider: scriptedProvider(says(OUTPUT)), config: { operator_id: 'me' } })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(contract)
  await api.clock.advance(2000)
  await client.submitInput(created.session_id, created.initiator_submit_token, 'initiator', inputs[0])
  await client.submitInput(created.session_id, created.responder_submit_token, 'responder', inputs[1])
  const { receipt, receipt_v2 } = await client.output(created.session_id, created.initiator_read_token)
  const key = parseEd25519PublicKey(fromHex(api.verifyingKeyHex))
  const v1 = parseAgentVaultReceiptV1(receipt as JsonObject)
  const v2 = parseAgentVaultReceiptV2(receipt_v2 as JsonObject)
  verifyAgentVaultReceiptV1(v1, key)
  verifyAgentVaultReceiptV2(v2, key)
  return {
    v1,
    v2,
    id: created.session_id,
    fingerprint: agentVaultKeyFingerprint(key),
    asked: api.provider.asked,
  }
}

test('the receipts of a model’s session say what governed it', async () => {
  const { v1, v2, id, fingerprint, asked } = await receiptsOf(MODEL_CONTRACT, [{ a: 1 }, { b: 2 }])
  const preflight = {
    policy_hash: hash(POLICY),
    prompt_template_hash: hash(PROMPT),
    model_profile_hash: hash(PROFILE),
    schema_hash: hash(SCHEMA),
    enforcement_parameters: { max_completion_tokens: 4096 },
  }
  const prompt = { system: asked[0]?.system, user_message: asked[0]?.user }
  expect(v2).toEqual({
    receipt_schema_version: '2.1.0',
    receipt_canonicalization: 'JCS_V1',
    receipt_id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ) as string,
    session_id: id,
    issued_at: '2027-01-15T08:00:02Z',
    assurance_level: 'SELF_ASSERTED',
    operator: { operator_id: 'me', operator_key_fingerprint: fingerprint },
    commitments: {
      contract_hash: hash(MODEL_CONTRACT),
      schema_hash: hash(SCHEMA),
      output_hash: hash(OUTPUT),
      input_commitments: [
        {
          participant_id: 'alice',
          input_hash: contentHash({ a: 1 }),
          hash_alg: 'SHA-256',
          canonicalization: 'CANONICAL_JSON_V1',
        },
        {
          participant_id: 'bob',
          input_hash: contentHash({ b: 2 }),
          hash_alg: 'SHA-256',
          canonicalization: 'CANONICAL_JSON_V1',
        },
      ],
      assembled_prompt_hash: contentHash(prompt),
      prompt_assembly_version: 'parley-1',
      output: OUTPUT,
      prompt_template_hash: hash(PROMPT),
      effective_config_hash: hash(preflight),
      preflight_bundle: preflight,
    },
    claims: {
      model_identity_asserted: 'anthropic/example-model-1',
      model_profile_hash_asserted: hash(PROFILE),
      runtime_hash_asserted: v1.runtime_hash,
      budget_enforcement_mode: 'advisory',
      relay_software_version: '0.1.0',
      status: 'success',
      signal_class: 'SESSION_COMPLETED',
      execution_lane: 'standard',
      // 8 outputs and 7 ends without one.
      channel_capacity_bits_upper_bound: 4,
      channel_capacity_measurement_version: 'parley_exact_v1',
      entropy_budget_bits: 8,
      schema_entropy_ceiling_bits: 3,
      budget_usage: { bits_used_before: 0, bits_used_after: 4, budget_limit: 8 },
    },
    signature: v2.signature,
  })
  expect(v1).toMatchObject({
    session_id: id,
    purpose_code: 'COMPATIBILITY',
    participant_ids: ['alice', 'bob'],
    guardian_policy_hash: hash(POLICY),
    execution_lane: 'API_MEDIATED',
    session_start: '2027-01-15T08:00:00Z',
    session_end: '2027-01-15T08:00:02Z',
    output_entropy_bits: 3,
    model_identity: { provider: 'anthropic', model_id: 'example-model-1' },
    model_profile_hash: hash(PROFILE),
    prompt_template_hash: hash(PROMPT),
    contract_hash: hash(MODEL_CONTRACT),
    output_schema_hash: hash(SCHEMA),
  })
  expect(JSON.stringify([v1, v2])).not.toContain('whatever-it-says')
})

test('the receipts of a program’s session name no model and no prompt', async () => {
  const { v1, v2 } = await receiptsOf(CEL_CONTRACT, [{ most: 1 }, { least: 2 }])
  expect(v1).toMatchObject({
    execution_lane: 'SOFTWARE_LOCAL',
    inference_config_hash: hash(CEL_CONTRACT['program'] ?? null),
    budget_usage: { budget_enforcement: 'gate' },
  })
  for (const name of ['model_identity', 'model_profile_hash', 'prompt_template_hash'])
    expect(Object.keys(v1)).not.toContain(name)
  expect(v2.commitments).toMatchObject({ assembled_prompt_hash: NOTHING, output: { meets: 'NO' } })
  expect(Object.keys(v2.commitments)).not.toContain('preflight_bundle')
  // 2 outputs and 4 ends without one.
  expect(v2.claims).toMatchObject({
    channel_capacity_bits_upper_bound: 3,
    schema_entropy_ceiling_bits: 1,
    budget_enforcement_mode: 'enforced',
  })
})

test('two sessions over the same inputs have other prompts: no party can guess the other’s from the hash', async () => {
  const first = await receiptsOf(MODEL_CONTRACT, [{ a: 1 }, { b: 2 }])
  const second = await receiptsOf(MODEL_CONTRACT, [{ a: 1 }, { b: 2 }])
  expect(first.v2.commitments.assembled_prompt_hash).not.toBe(second.v2.commitments.assembled_prompt_hash)
})
