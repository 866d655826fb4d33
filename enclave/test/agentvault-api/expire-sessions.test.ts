import { expect, test } from 'vitest'
import type { ModelReply } from '../../src/model/model-provider.js'
import { agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT } from './artefacts.js'
import { openTestApi } from './open-test-api.js'
import { NEVER, says, scriptedProvider } from './scripted-provider.js'
import { contentHash, verifyAsAgentVault } from './verify-as-agentvault.js'

const TIMED_OUT = { state: 'ABORTED', abort_reason: 'TIMEOUT' }

test('a session whose inputs do not come is aborted as TIMEOUT, with a receipt of what came', async () => {
  const api = await openTestApi({ config: { session_ttl_secs: 60 } })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(CEL_CONTRACT)
  const { session_id: id, initiator_read_token: token } = created
  await client.submitInput(id, created.initiator_submit_token, 'initiator', { most: 3 })
  await api.clock.advance(59_999)
  expect(await client.status(id, token)).toMatchObject({ state: 'PARTIAL' })
  await api.clock.advance(1)
  const result = await client.output(id, token)
  expect(result).toMatchObject({ ...TIMED_OUT, output: null, receipt: null })
  expect(
    verifyAsAgentVault(result.receipt_v2 ?? {}, api.verifyingKeyHex, { contract: CEL_CONTRACT }),
  ).toEqual([])
  expect(result.receipt_v2).toMatchObject({
    session_id: id,
    commitments: {
      input_commitments: [{ participant_id: 'alice', input_hash: contentHash({ most: 3 }) }],
    },
    claims: { status: 'error', signal_class: 'timeout', budget_usage: { bits_used_after: 0 } },
  })
  await expect(
    client.submitInput(id, created.responder_submit_token, 'responder', { least: 3 }),
  ).rejects.toMatchObject({ status: 400 })
})

test('a contract that gives less time than the relay is held to its own', async () => {
  const api = await openTestApi({ config: { session_ttl_secs: 600 } })
  const client = agentVaultClient(api.url)
  const { session_id: id, initiator_read_token: token } = await client.createSession({
    ...CEL_CONTRACT,
    session_ttl_secs: 5,
  })
  await api.clock.advance(5000)
  expect(await client.status(id, token)).toEqual(TIMED_OUT)
})

test('a provider that hangs is left, and its session ends with a receipt', async () => {
  const provider = scriptedProvider(NEVER)
  const api = await openTestApi({ provider, config: { processing_ttl_secs: 30 } })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(MODEL_CONTRACT)
  const { session_id: id, responder_read_token: token } = created
  await client.submitInput(id, created.initiator_submit_token, 'initiator', 'a')
  await client.submitInput(id, created.responder_submit_token, 'responder', 'b')
  await api.clock.advance(29_999)
  expect(await client.status(id, token)).toMatchObject({ state: 'PROCESSING' })
  await api.clock.advance(1)
  const result = await client.output(id, token)
  expect(result).toMatchObject(TIMED_OUT)
  expect(verifyAsAgentVault(result.receipt_v2 ?? {}, api.verifyingKeyHex)).toEqual([])
  expect(provider.signals[0]?.aborted).toBe(true)
})

test('a reply after the end comes to nothing', async () => {
  let answer: (reply: ModelReply) => void = () => undefined
  const late = new Promise<ModelReply>((resolve) => (answer = resolve))
  const api = await openTestApi({ provider: scriptedProvider(late), config: { processing_ttl_secs: 30 } })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(MODEL_CONTRACT)
  const { session_id: id, responder_read_token: token } = created
  await client.submitInput(id, created.initiator_submit_token, 'initiator', 'a')
  await client.submitInput(id, created.responder_submit_token, 'responder', 'b')
  await api.clock.advance(30_000)
  const before = await client.output(id, token)
  answer(says({ fit: 'GOOD', confidence: 'LOW' }))
  await api.clock.advance(1000)
  expect(await client.output(id, token)).toEqual(before)
})

test('a result is kept for as long as a session may last, and then forgotten', async () => {
  const api = await openTestApi({ config: { session_ttl_secs: 60 } })
  const client = agentVaultClient(api.url)
  const created = await client.createSession(CEL_CONTRACT)
  const { session_id: id, initiator_read_token: token } = created
  await client.submitInput(id, created.initiator_submit_token, 'initiator', { most: 3 })
  await client.submitInput(id, created.responder_submit_token, 'responder', { least: 3 })
  await api.clock.advance(59_999)
  expect(await client.status(id, token)).toMatchObject({ state: 'COMPLETED' })
  await api.clock.advance(1)
  await expect(client.status(id, token)).rejects.toMatchObject({ status: 401 })
})
