import { expect, test } from 'vitest'
import type { ModelReply } from '../../src/model/model-provider.js'
import { agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT } from './artefacts.js'
import { openTestApi } from './open-test-api.js'
import { NEVER, says, scriptedProvider } from './scripted-provider.js'
import { verifyAsAgentVault } from './verify-as-agentvault.js'

const request = (contract: object, first: unknown, second: unknown) => ({
  contract,
  input_a: { role: 'initiator', context: first },
  input_b: { role: 'responder', context: second },
  provider: 'anthropic',
})

test('one request gives an output and both receipts', async () => {
  const api = await openTestApi()
  const answer = await agentVaultClient(api.url).relay(request(CEL_CONTRACT, { most: 3 }, { least: 3 }))
  expect(Object.keys(answer).sort()).toEqual(['output', 'receipt', 'receipt_signature', 'receipt_v2'])
  expect(answer['output']).toEqual({ meets: 'YES' })
  for (const name of ['receipt', 'receipt_v2'])
    expect(verifyAsAgentVault(answer[name] as object, api.verifyingKeyHex)).toEqual([])
})

test('nothing of it stays behind: a relay with room for one session answers one after another', async () => {
  const api = await openTestApi({ limits: { sessions: 1 } })
  const client = agentVaultClient(api.url)
  for (let turn = 0; turn < 3; turn++)
    await expect(client.relay(request(CEL_CONTRACT, { most: 3 }, { least: 3 }))).resolves.toMatchObject({})
  await expect(client.relay(request(CEL_CONTRACT, { most: 'x' }, { least: 3 }))).rejects.toMatchObject({
    status: 400,
  })
  await expect(client.relay(request(CEL_CONTRACT, { most: 3 }, { least: 'x' }))).rejects.toMatchObject({
    status: 400,
  })
  await expect(client.createSession(CEL_CONTRACT)).resolves.toMatchObject({})
})

test.each<[string, ModelReply, number, string]>([
  [
    'an output that the schema refuses',
    says({ fit: 'canary', confidence: 'LOW' }),
    422,
    'Output schema validation failed',
  ],
  [
    'an output that the policy refuses',
    says({ fit: 'GRADE_1', confidence: 'LOW' }),
    422,
    'OUTPUT_POLICY_VIOLATION',
  ],
  ['a failure', { kind: 'failed', cause: 'unauthorized' }, 502, 'Provider error'],
])('%s is said in one fixed text', async (_, reply, status, error) => {
  const api = await openTestApi({ provider: scriptedProvider(reply) })
  const asked = agentVaultClient(api.url).relay(request(MODEL_CONTRACT, 'a', 'b'))
  await expect(asked).rejects.toMatchObject({ status, body: JSON.stringify({ error }) })
})

test('a provider that hangs is 502 when the time is over', async () => {
  const provider = scriptedProvider(NEVER)
  const api = await openTestApi({ provider, config: { processing_ttl_secs: 30 } })
  const asked = agentVaultClient(api.url)
    .relay(request(MODEL_CONTRACT, 'a', 'b'))
    .catch((error: unknown) => error)
  while (provider.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await api.clock.advance(31_000)
  expect(await asked).toMatchObject({ status: 502, body: '{"error":"Provider error: timed out"}' })
})

test.each([
  ['without an input', { input_b: undefined }, 422],
  ['with an input that has no role', { input_a: { context: 1 } }, 422],
  ['with an unknown member', { colour: 'red' }, 422],
  ['with a contract of three', { contract: { ...CEL_CONTRACT, participants: ['a', 'b', 'c'] } }, 400],
])('a request %s is refused', async (_, change, status) => {
  const api = await openTestApi()
  const asked = { ...request(CEL_CONTRACT, { most: 3 }, { least: 3 }), ...change }
  await expect(agentVaultClient(api.url).relay(asked)).rejects.toMatchObject({ status })
})
