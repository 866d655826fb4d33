import { beforeEach, expect, test } from 'vitest'
import { type AgentVaultClient, agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT } from './artefacts.js'
import { openTestApi, type TestApi } from './open-test-api.js'
import { contentHash } from './verify-as-agentvault.js'

const ALICE = 'inbox-of-alice'
const BOB = 'inbox-of-bob'
const CAROL = 'inbox-of-carol'
const INVITATION = { to_agent_id: 'bob', contract: CEL_CONTRACT, purpose_code: 'NEGOTIATION' }
const UNAUTHORIZED = { status: 401, body: '{"error":"UNAUTHORIZED"}' }

let api: TestApi
let client: AgentVaultClient
beforeEach(async () => {
  api = await openTestApi({ config: { invite_ttl_secs: 3600 } })
  client = agentVaultClient(api.url)
})

const invited = async (change: object = {}): Promise<string> =>
  String((await client.createInvite({ ...INVITATION, ...change }, ALICE))['invite_id'])

test('an invite is created, seen, accepted, and leads both to one session', async () => {
  const created = await client.createInvite({ ...INVITATION, provider: 'anthropic' }, ALICE)
  const id = String(created['invite_id'])
  expect(created).toEqual({
    invite_id: expect.stringMatching(/^inv_[0-9a-f]{32}$/) as string,
    contract_hash: contentHash(CEL_CONTRACT),
    status: 'PENDING',
    expires_at: '2027-01-15T09:00:00Z',
  })
  const { invites, ...inbox } = await client.inbox(BOB, '?status=PENDING')
  expect(inbox).toEqual({ latest_event_id: 1 })
  expect(invites).toEqual([
    {
      invite_id: id,
      from_agent_id: 'alice',
      from_agent_pubkey: 'aa'.repeat(32),
      status: 'PENDING',
      purpose_code: 'NEGOTIATION',
      contract_hash: contentHash(CEL_CONTRACT),
      created_at: '2027-01-15T08:00:00Z',
      expires_at: '2027-01-15T09:00:00Z',
    },
  ])
  expect(await client.readInvite(id, BOB)).toMatchObject({ contract_json: CEL_CONTRACT, status: 'PENDING' })

  const accepted = await client.acceptInvite(id, BOB, contentHash(CEL_CONTRACT))
  const session = String(accepted['session_id'])
  const own = await client.readInvite(id, ALICE)
  expect(own).toMatchObject({ status: 'ACCEPTED', session_id: session })
  await client.submitInput(session, String(own['submit_token']), 'initiator', { most: 3 })
  await client.submitInput(session, String(accepted['responder_submit_token']), 'responder', { least: 2 })
  for (const token of [own['read_token'], accepted['responder_read_token']])
    expect((await client.output(session, String(token))).output).toEqual({ meets: 'YES' })
})

test('an invite that is accepted again gives the same tokens, and no second session', async () => {
  const id = await invited()
  expect(await client.acceptInvite(id, BOB)).toEqual(await client.acceptInvite(id, BOB))
})

test('each side sees its own tokens alone', async () => {
  const id = await invited()
  const { session_id, responder_submit_token, responder_read_token } = await client.acceptInvite(id, BOB)
  const [alices, bobs] = [await client.readInvite(id, ALICE), await client.readInvite(id, BOB)]
  expect(bobs).toMatchObject({
    session_id,
    submit_token: responder_submit_token,
    read_token: responder_read_token,
  })
  const text = JSON.stringify(alices)
  expect([
    text.includes(String(responder_submit_token)),
    text.includes(String(responder_read_token)),
  ]).toEqual([false, false])
})

test('who is named first in the contract has the first place, also where it is the recipient', async () => {
  const contract = { ...CEL_CONTRACT, participants: ['bob', 'alice'] }
  const id = await invited({ contract })
  const accepted = await client.acceptInvite(id, BOB)
  const session = String(accepted['session_id'])
  const own = await client.readInvite(id, ALICE)
  await client.submitInput(session, String(accepted['responder_submit_token']), 'responder', { most: 1 })
  await client.submitInput(session, String(own['submit_token']), 'initiator', { least: 2 })
  expect((await client.output(session, String(own['read_token']))).output).toEqual({ meets: 'NO' })
})

test('another expected_contract_hash is 400, and the invite can still be accepted', async () => {
  const id = await invited()
  await expect(client.acceptInvite(id, BOB, '00'.repeat(32))).rejects.toMatchObject({ status: 400 })
  await expect(client.acceptInvite(id, BOB)).resolves.toMatchObject({})
})

test.each([[undefined], ['BUSY'], ['NOT_INTERESTED'], ['INVALID'], ['OTHER']])(
  'a decline with reason %s stands, and is said to the sender',
  async (reason) => {
    const id = await invited()
    const declined = await client.declineInvite(id, BOB, reason)
    expect(declined).toMatchObject({ status: 'DECLINED' })
    expect(declined['decline_reason_code']).toBe(reason)
    expect(await client.declineInvite(id, BOB)).toEqual(declined)
    expect(await client.readInvite(id, ALICE)).toEqual(declined)
    await expect(client.acceptInvite(id, BOB)).rejects.toMatchObject({
      status: 409,
      body: '{"error":"Invite state conflict: cannot accept invite in DECLINED state"}',
    })
  },
)

test('a cancelled invite can be cancelled again, and neither accepted nor declined', async () => {
  const id = await invited()
  const cancelled = await client.cancelInvite(id, ALICE)
  expect(cancelled).toMatchObject({ status: 'CANCELED' })
  expect(await client.cancelInvite(id, ALICE)).toEqual(cancelled)
  await expect(client.acceptInvite(id, BOB)).rejects.toMatchObject({ status: 409 })
  await expect(client.declineInvite(id, BOB)).rejects.toMatchObject({ status: 409 })
})

test('an accepted invite can be neither declined nor cancelled', async () => {
  const id = await invited()
  await client.acceptInvite(id, BOB)
  await expect(client.declineInvite(id, BOB)).rejects.toMatchObject({ status: 409 })
  await expect(client.cancelInvite(id, ALICE)).rejects.toMatchObject({ status: 409 })
})

test('an invite expires at its time, not at the next sweep, and cannot be accepted after it', async () => {
  const id = await invited()
  await api.clock.advance(3_599_999)
  expect(await client.readInvite(id, BOB)).toMatchObject({ status: 'PENDING' })
  await api.clock.advance(1)
  await expect(client.acceptInvite(id, BOB)).rejects.toMatchObject({
    status: 409,
    body: expect.stringContaining('EXPIRED') as string,
  })
  expect(await client.readInvite(id, ALICE)).toMatchObject({ status: 'EXPIRED' })
})

test('a contract that gives less time than the relay is held to its own', async () => {
  const id = await invited({ contract: { ...CEL_CONTRACT, invite_ttl_secs: 5 } })
  await api.clock.advance(5000)
  expect(await client.readInvite(id, BOB)).toMatchObject({ status: 'EXPIRED' })
})

test('whatever became of an invite, it is forgotten a day later', async () => {
  const id = await invited()
  await client.declineInvite(id, BOB)
  await api.clock.advance(86_399_000)
  await expect(client.readInvite(id, BOB)).resolves.toMatchObject({})
  await api.clock.advance(1000)
  await expect(client.readInvite(id, BOB)).rejects.toMatchObject(UNAUTHORIZED)
  expect((await client.inbox(BOB)).invites).toEqual([])
})

test('a sender may have 64 pending invites, and one more when one is settled', async () => {
  const big = await openTestApi({ limits: { sessions: 1000 } })
  const other = agentVaultClient(big.url)
  const ids: string[] = []
  for (let turn = 0; turn < 64; turn++)
    ids.push(String((await other.createInvite(INVITATION, ALICE))['invite_id']))
  await expect(other.createInvite(INVITATION, ALICE)).rejects.toMatchObject({ status: 503 })
  await expect(other.createInvite({ ...INVITATION, to_agent_id: 'alice' }, BOB)).resolves.toMatchObject({})
  await other.cancelInvite(String(ids[0]), ALICE)
  await expect(other.createInvite(INVITATION, ALICE)).resolves.toMatchObject({})
})

test.each([
  ['to oneself', { to_agent_id: 'alice' }, 400],
  ['to nobody', { to_agent_id: '' }, 400],
  ['to an agent that the contract does not name', { to_agent_id: 'carol' }, 400],
  ['for another purpose than the contract', { purpose_code: 'MEDIATION' }, 400],
  ['without a purpose', { purpose_code: '' }, 400],
  ['under a contract that cannot run', { contract: { ...CEL_CONTRACT, entropy_budget_bits: 0 } }, 400],
  ['with an unknown member', { colour: 'red' }, 422],
  ['with a key that is none', { from_agent_pubkey: 'x' }, 422],
])('an invite %s is refused', async (_, change, status) => {
  await expect(client.createInvite({ ...INVITATION, ...change }, ALICE)).rejects.toMatchObject({ status })
})

test('a sender that the contract does not name is 400', async () => {
  await expect(client.createInvite(INVITATION, CAROL)).rejects.toMatchObject({ status: 400 })
})

test('a decline with a reason of its own is 422', async () => {
  const id = await invited()
  await expect(client.declineInvite(id, BOB, 'LATER')).rejects.toMatchObject({ status: 422 })
})

test('another agent, the other side, a wrong token and an unknown invite are answered alike', async () => {
  const id = await invited()
  for (const asked of [
    () => client.createInvite(INVITATION, 'wrong'),
    () => client.readInvite(id, CAROL),
    () => client.readInvite(id, 'wrong'),
    () => client.readInvite(`inv_${'0'.repeat(32)}`, BOB),
    () => client.acceptInvite(id, ALICE),
    () => client.acceptInvite(id, CAROL),
    () => client.declineInvite(id, ALICE),
    () => client.cancelInvite(id, BOB),
    () => client.inbox('wrong'),
  ])
    await expect(asked()).rejects.toMatchObject(UNAUTHORIZED)
})

test('no token of a session opens an inbox', async () => {
  const { initiator_read_token } = await client.createSession(CEL_CONTRACT)
  await expect(client.inbox(initiator_read_token)).rejects.toMatchObject(UNAUTHORIZED)
})
