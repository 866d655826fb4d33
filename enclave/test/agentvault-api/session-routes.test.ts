import { expect, test } from 'vitest'
import { type AgentVaultClient, agentVaultClient, type CreatedSession } from './agentvault-client.js'
import { CEL_CONTRACT, MODEL_CONTRACT } from './artefacts.js'
import { openTestApi, type TestApi, type TestApiOptions } from './open-test-api.js'
import { says, scriptedProvider } from './scripted-provider.js'

type Open = {
  readonly api: TestApi
  readonly client: AgentVaultClient
  readonly created: CreatedSession
}

async function openSession(options: TestApiOptions = {}, contract: object = CEL_CONTRACT): Promise<Open> {
  const api = await openTestApi(options)
  const client = agentVaultClient(api.url)
  return { api, client, created: await client.createSession(contract) }
}

const UNAUTHORIZED = { status: 401, body: '{"error":"UNAUTHORIZED"}' }

test('ids and tokens are 32 octets in hex, and no two are alike', async () => {
  const { created } = await openSession()
  const { session_id, contract_hash, ...tokens } = created
  const all = [session_id, contract_hash, ...Object.values(tokens)]
  for (const each of all) expect(each).toMatch(/^[0-9a-f]{64}$/)
  expect(new Set(all).size).toBe(6)
})

test('a submit token works once, and its session goes on', async () => {
  const { client, created } = await openSession()
  const { session_id: id, initiator_submit_token: token } = created
  await client.submitInput(id, token, 'initiator', { most: 3 })
  await expect(client.submitInput(id, token, 'initiator', { most: 4 })).rejects.toMatchObject(UNAUTHORIZED)
  await client.submitInput(id, created.responder_submit_token, 'responder', { least: 4 })
  expect((await client.output(id, created.initiator_read_token)).output).toEqual({ meets: 'NO' })
})

test('the token says whose input it is, whatever role is written beside it', async () => {
  const { client, created } = await openSession()
  const { session_id: id } = created
  await client.submitInput(id, created.responder_submit_token, 'initiator', { least: 1 })
  await client.submitInput(id, created.initiator_submit_token, 'responder', { most: 0 })
  expect((await client.output(id, created.responder_read_token)).output).toEqual({ meets: 'NO' })
})

test('another expected_contract_hash is 400, and leaves the session usable', async () => {
  const { client, created } = await openSession()
  const { session_id: id, initiator_submit_token: token, contract_hash } = created
  await expect(
    client.submitInput(id, token, 'initiator', { most: 3 }, '00'.repeat(32)),
  ).rejects.toMatchObject({
    status: 400,
    body: '{"error":"Contract validation failed: expected_contract_hash does not match session contract"}',
  })
  expect(await client.submitInput(id, token, 'initiator', { most: 3 }, contract_hash)).toMatchObject({
    state: 'PARTIAL',
  })
})

test('an input that its schema refuses is 400 without a word of it, and may be sent again', async () => {
  const { client, created } = await openSession()
  const { session_id: id, initiator_submit_token: token } = created
  await expect(client.submitInput(id, token, 'initiator', { most: 'canary' })).rejects.toMatchObject({
    status: 400,
    body: expect.not.stringContaining('canary') as string,
  })
  expect(await client.submitInput(id, token, 'initiator', { most: 3 })).toMatchObject({ state: 'PARTIAL' })
})

test('an input beyond what may wait is 503, and may be sent again when there is room', async () => {
  const { client, created } = await openSession(
    {
      limits: { open_input_bytes: 1024 },
      provider: scriptedProvider(says({ fit: 'NONE', confidence: 'LOW' })),
    },
    MODEL_CONTRACT,
  )
  const { session_id: id, initiator_submit_token: token } = created
  await expect(client.submitInput(id, token, 'initiator', 'x'.repeat(2000))).rejects.toMatchObject({
    status: 503,
    body: '{"error":"SERVICE_UNAVAILABLE"}',
  })
  expect(await client.submitInput(id, token, 'initiator', 'x')).toMatchObject({ state: 'PARTIAL' })
})

test('sessions beyond the bound are 503, and are there again when one is forgotten', async () => {
  const { api, client } = await openSession({ limits: { sessions: 1 }, config: { session_ttl_secs: 10 } })
  await expect(client.createSession(CEL_CONTRACT)).rejects.toMatchObject({ status: 503 })
  await api.clock.advance(21_000)
  await expect(client.createSession(CEL_CONTRACT)).resolves.toMatchObject({})
})

test('contracts beyond what may be kept are 503, however few they are', async () => {
  const size = JSON.stringify(CEL_CONTRACT).length
  const { client } = await openSession({ limits: { open_contract_bytes: 2 * size } })
  await expect(client.createSession(CEL_CONTRACT)).resolves.toMatchObject({})
  await expect(client.createSession(CEL_CONTRACT)).rejects.toMatchObject({ status: 503 })
  const invitation = { to_agent_id: 'bob', contract: CEL_CONTRACT, purpose_code: 'NEGOTIATION' }
  await expect(client.createInvite(invitation, 'inbox-of-alice')).rejects.toMatchObject({ status: 503 })
})

test.each(['initiator_read_token', 'responder_read_token'] as const)(
  'the %s submits nothing',
  async (name) => {
    const { client, created } = await openSession()
    const submitted = client.submitInput(created.session_id, created[name], 'initiator', { most: 3 })
    await expect(submitted).rejects.toMatchObject(UNAUTHORIZED)
  },
)

test.each(['initiator_submit_token', 'responder_submit_token'] as const)(
  'the %s reads no output, and does read the status',
  async (name) => {
    const { client, created } = await openSession()
    const { session_id: id } = created
    await expect(client.output(id, created[name])).rejects.toMatchObject(UNAUTHORIZED)
    expect(await client.status(id, created[name])).toMatchObject({ state: 'CREATED' })
  },
)

test('a wrong token, none, and an unknown session are answered alike', async () => {
  const { api, client, created } = await openSession()
  const other = await client.createSession(CEL_CONTRACT)
  for (const [id, token] of [
    [created.session_id, '00'.repeat(32)],
    [created.session_id, other.initiator_read_token],
    ['00'.repeat(32), created.initiator_read_token],
    ['x', 'y'],
  ] as const) {
    await expect(client.status(id, token)).rejects.toMatchObject(UNAUTHORIZED)
    await expect(client.output(id, token)).rejects.toMatchObject(UNAUTHORIZED)
    await expect(client.submitInput(id, token, 'initiator', {})).rejects.toMatchObject(UNAUTHORIZED)
  }
  const bare = await fetch(`${api.url}/sessions/${created.session_id}/status`)
  expect([bare.status, await bare.text()]).toEqual([401, UNAUTHORIZED.body])
})

test('metadata is there for developers alone', async () => {
  const { client, created } = await openSession()
  const { session_id: id, initiator_read_token: token } = created
  await expect(client.metadata(id, token)).rejects.toMatchObject(UNAUTHORIZED)
})

test('a developer sees times and sizes, with a read token', async () => {
  const { client, created } = await openSession({ config: { dev: true } })
  const { session_id: id, initiator_read_token: token } = created
  await expect(client.metadata(id, created.initiator_submit_token)).rejects.toMatchObject(UNAUTHORIZED)
  expect(await client.metadata(id, token)).toEqual({
    session_id: id,
    timing: {
      session_created_at: '2027-01-15T08:00:00Z',
      initiator_input_at: null,
      responder_input_at: null,
      inference_start_at: null,
      inference_end_at: null,
      output_ready_at: null,
    },
    sizes: {
      initiator_input_bytes: null,
      responder_input_bytes: null,
      output_bytes: null,
      receipt_bytes: null,
    },
  })
  await client.submitInput(id, created.initiator_submit_token, 'initiator', { most: 3 })
  await client.submitInput(id, created.responder_submit_token, 'responder', { least: 3 })
  expect(await client.metadata(id, token)).toMatchObject({
    timing: { output_ready_at: '2027-01-15T08:00:00Z' },
    sizes: { initiator_input_bytes: 10, responder_input_bytes: 11, output_bytes: 15 },
  })
})

test.each([
  ['no contract', {}, 422],
  ['a member too many', { contract: CEL_CONTRACT, colour: 'red' }, 422],
  ['a contract that is no object', { contract: 'x' }, 400],
  ['a provider that is no text', { contract: CEL_CONTRACT, provider: 7 }, 422],
])('a creation with %s is refused with the one error shape', async (_, body, status) => {
  const { url } = await openTestApi()
  const answer = await fetch(`${url}/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ error: expect.any(String) as string })
})
