import { expect, test } from 'vitest'
import { agentVaultClient, type Output } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT, PROMPT, SCHEMA } from './artefacts.js'
import type { ModelReply } from '../../src/model/model-provider.js'
import { openTestApi } from './open-test-api.js'
import { says, type ScriptedProvider, scriptedProvider } from './scripted-provider.js'
import { verifyAsAgentVault } from './verify-as-agentvault.js'

const INPUTS = [{ text: 'first' }, { text: 'second' }] as const

async function resultOf(
  provider: ScriptedProvider,
  contract: object = MODEL_CONTRACT,
  [first, second]: readonly [unknown, unknown] = INPUTS,
): Promise<Output & { readonly key: string }> {
  const api = await openTestApi({ provider })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(contract)
  await client.submitInput(created.session_id, created.initiator_submit_token, 'initiator', first)
  await client.submitInput(created.session_id, created.responder_submit_token, 'responder', second)
  await api.clock.advance(0)
  const result = await client.output(created.session_id, created.initiator_read_token)
  return { ...result, key: api.verifyingKeyHex }
}

test('a model is asked with the program, both inputs, the schema and the profile of the contract', async () => {
  const provider = scriptedProvider(says({ fit: 'GOOD', confidence: 'LOW' }))
  await resultOf(provider)
  const [asked] = provider.asked
  expect(asked).toMatchObject({
    model_id: 'example-model-1',
    output_schema: SCHEMA,
    max_completion_tokens: 4096,
  })
  expect(asked?.system).toContain(PROMPT['system_instruction'])
  for (const text of ['first', 'second', 'alice', 'bob']) expect(asked?.user).toContain(text)
})

test('the lowest of three caps holds: of the contract, of the policy, of the relay', async () => {
  const provider = scriptedProvider(says({ fit: 'GOOD', confidence: 'LOW' }))
  await resultOf(provider, { ...MODEL_CONTRACT, max_completion_tokens: 100 })
  expect(provider.asked[0]?.max_completion_tokens).toBe(100)
})

test('an output comes out in canonical order, whatever order the model wrote', async () => {
  const { output } = await resultOf(
    scriptedProvider({
      kind: 'completed',
      text: '{"fit":"GOOD",\n "confidence":"LOW"}',
      model_returned: null,
    }),
  )
  expect(JSON.stringify(output)).toBe('{"confidence":"LOW","fit":"GOOD"}')
})

const completed = (text: string): ModelReply => ({ kind: 'completed', text, model_returned: null })

test.each<[string, ModelReply, string, string, string]>([
  ['no JSON', completed('canary'), 'SCHEMA_VALIDATION', 'rejected', 'schema_validation_failed'],
  [
    'JSON in a fence',
    completed('```json\n{"fit":"GOOD","confidence":"LOW"}\n```'),
    'SCHEMA_VALIDATION',
    'rejected',
    'schema_validation_failed',
  ],
  [
    'a member named twice',
    completed('{"fit":"GOOD","fit":"NONE","confidence":"LOW"}'),
    'SCHEMA_VALIDATION',
    'rejected',
    'schema_validation_failed',
  ],
  [
    'a value that the schema has not',
    says({ fit: 'canary', confidence: 'LOW' }),
    'SCHEMA_VALIDATION',
    'rejected',
    'schema_validation_failed',
  ],
  [
    'a value that the policy refuses',
    says({ fit: 'GRADE_1', confidence: 'LOW' }),
    'POLICY_GATE',
    'rejected',
    'policy_gate_violated',
  ],
  ['a refusal', { kind: 'refused' }, 'PROVIDER_ERROR', 'error', 'provider_error'],
  ['a truncation', { kind: 'truncated' }, 'PROVIDER_ERROR', 'error', 'provider_error'],
  [
    'nothing, being over its rate',
    { kind: 'failed', cause: 'rate_limited' },
    'PROVIDER_ERROR',
    'error',
    'provider_error',
  ],
])(
  'a model that says %s ends the session with a receipt of form 2.1.0 alone',
  async (_, reply, reason, ...claims) => {
    const [status, signal_class] = claims
    const { key, ...result } = await resultOf(scriptedProvider(reply))
    expect(result).toMatchObject({
      state: 'ABORTED',
      abort_reason: reason,
      output: null,
      receipt: null,
      receipt_signature: null,
      receipt_v2: { claims: { status, signal_class } },
    })
    expect(verifyAsAgentVault(result.receipt_v2 ?? {}, key, { contract: MODEL_CONTRACT })).toEqual([])
    expect(JSON.stringify(result)).not.toContain('canary')
  },
)

test('a provider that throws is a provider error, and what it threw is said to nobody', async () => {
  const provider = { ...scriptedProvider(), complete: () => Promise.reject(new Error('canary')) }
  const result = await resultOf(provider)
  expect(result).toMatchObject({ state: 'ABORTED', abort_reason: 'PROVIDER_ERROR' })
  expect(JSON.stringify(result)).not.toContain('canary')
})

test('a program that fails ends its session as a provider error', async () => {
  const failing = {
    ...CEL_CONTRACT,
    program: {
      language: 'cel',
      source: '{"meets": [1][initiator.most] == 1 ? "YES" : "NO"}',
      cost_limit: 100,
    },
  }
  const result = await resultOf(scriptedProvider(), failing, [{ most: 5 }, { least: 0 }])
  expect(result).toMatchObject({ state: 'ABORTED', abort_reason: 'PROVIDER_ERROR', receipt: null })
})
