import { expect, onTestFinished, test } from 'vitest'
import { type AgentVaultClient, agentVaultClient } from './agentvault-client.js'
import { CEL_CONTRACT } from './artefacts.js'
import { openTestApi, type TestApi, type TestApiOptions } from './open-test-api.js'

const INVITATION = { to_agent_id: 'bob', contract: CEL_CONTRACT, purpose_code: 'NEGOTIATION' }
const ALICE = 'inbox-of-alice'
const BOB = 'inbox-of-bob'

async function open(options: TestApiOptions = {}): Promise<{ api: TestApi; client: AgentVaultClient }> {
  const api = await openTestApi(options)
  return { api, client: agentVaultClient(api.url) }
}

const invite = async (client: AgentVaultClient, change: object = {}, token = ALICE): Promise<string> =>
  String((await client.createInvite({ ...INVITATION, ...change }, token))['invite_id'])

type Event = { readonly event: string; readonly id: string; readonly data: Record<string, unknown> }

/** Reads server-sent events, skipping comments. */
async function listen(
  api: TestApi,
  token: string,
  lastEventId?: string,
): Promise<{ readonly next: () => Promise<Event | 'ended'>; readonly pings: () => number }> {
  const abort = new AbortController()
  onTestFinished(() => {
    abort.abort()
  })
  const answer = await fetch(`${api.url}/inbox/events`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) throw new Error('no body')
  let text = ''
  let pings = 0
  const next = async (): Promise<Event | 'ended'> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const frame = text.slice(0, end)
        text = text.slice(end + 2)
        if (!frame.startsWith(':')) return parsed(frame)
        pings += 1
        continue
      }
      const part = await reader.read()
      if (part.done) return 'ended'
      text += part.value
    }
  }
  return { next, pings: () => pings }
}

function parsed(frame: string): Event {
  const fields = Object.fromEntries(
    frame.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  const { event = '', id = '', data = '' } = fields
  return { event, id, data: JSON.parse(data) as Record<string, unknown> }
}

test('a recipient hears of an invite as it is made, and a sender of what became of it', async () => {
  const { api, client } = await open()
  const [bob, alice] = [await listen(api, BOB), await listen(api, ALICE)]
  const first = await invite(client)
  expect(await bob.next()).toEqual({
    event: 'invite_created',
    id: '1',
    data: {
      event_id: 1,
      event_type: 'INVITE_CREATED',
      invite_id: first,
      from_agent_id: 'alice',
      timestamp: '2027-01-15T08:00:00Z',
    },
  })
  await client.acceptInvite(first, BOB)
  const second = await invite(client)
  await client.declineInvite(second, BOB)
  expect([await alice.next(), await alice.next()]).toMatchObject([
    { event: 'invite_accepted', data: { invite_id: first, event_id: 1 } },
    { event: 'invite_declined', data: { invite_id: second, event_id: 2 } },
  ])
  const third = await invite(client)
  await client.cancelInvite(third, ALICE)
  expect([await bob.next(), await bob.next(), await bob.next()]).toMatchObject([
    { event: 'invite_created', data: { invite_id: second } },
    { event: 'invite_created', data: { invite_id: third } },
    { event: 'invite_canceled', data: { invite_id: third, event_type: 'INVITE_CANCELED', event_id: 4 } },
  ])
})

test('both hear of an expiry at the next sweep, without anybody asking', async () => {
  const { api, client } = await open({ config: { invite_ttl_secs: 60 } })
  const id = await invite(client)
  const [bob, alice] = [await listen(api, BOB), await listen(api, ALICE)]
  await api.clock.advance(61_000)
  for (const each of [bob, alice])
    expect(await each.next()).toMatchObject({ event: 'invite_expired', data: { invite_id: id } })
})

test('nobody hears of an inbox but its owner', async () => {
  const { api, client } = await open()
  const carol = await listen(api, 'inbox-of-carol')
  await invite(client)
  await invite(client, {
    to_agent_id: 'carol',
    contract: { ...CEL_CONTRACT, participants: ['alice', 'carol'] },
  })
  expect(await carol.next()).toMatchObject({ data: { event_id: 1 } })
})

test('who comes again with its last event is told those after it', async () => {
  const { api, client } = await open()
  const ids = [await invite(client), await invite(client), await invite(client)]
  const bob = await listen(api, BOB, '1')
  expect([await bob.next(), await bob.next()]).toMatchObject([
    { id: '2', data: { invite_id: ids[1] } },
    { id: '3', data: { invite_id: ids[2] } },
  ])
})

test('a ninth listener ends the first', async () => {
  const { api } = await open()
  const first = await listen(api, BOB)
  for (let turn = 0; turn < 8; turn++) await listen(api, BOB)
  expect(await first.next()).toBe('ended')
})

test('a listener is sent a comment every 15 seconds', async () => {
  const { api, client } = await open()
  const bob = await listen(api, BOB)
  await api.clock.advance(30_000)
  await invite(client)
  await bob.next()
  expect(bob.pings()).toBe(3)
})

test('the end of the API ends every stream', async () => {
  const { api } = await open()
  const bob = await listen(api, BOB)
  await api.close()
  expect(await bob.next()).toBe('ended')
})

test('a wrong token hears nothing, and a last event that is no number is 400', async () => {
  const { api } = await open()
  const status = async (token: string, last: string): Promise<number> =>
    (
      await fetch(`${api.url}/inbox/events`, {
        headers: { authorization: `Bearer ${token}`, 'last-event-id': last },
      })
    ).status
  expect([await status('wrong', '1'), await status(BOB, 'x')]).toEqual([401, 400])
})

test('an inbox is listed oldest first, by state, by sender, and no further than asked', async () => {
  const { client } = await open()
  const contract = { ...CEL_CONTRACT, participants: ['carol', 'bob'] }
  const ids = [
    await invite(client),
    await invite(client, { contract }, 'inbox-of-carol'),
    await invite(client),
  ]
  await client.declineInvite(String(ids[2]), BOB)
  const listed = async (query: string) =>
    (await client.inbox(BOB, query)).invites.map(({ invite_id }) => invite_id)
  expect(await listed('')).toEqual(ids)
  expect(await listed('?status=PENDING')).toEqual([ids[0], ids[1]])
  expect(await listed('?from_agent_id=carol')).toEqual([ids[1]])
  expect(await listed('?limit=2&since_event_id=7')).toEqual([ids[0], ids[1]])
  expect(await listed('?limit=0')).toEqual([])
  expect((await client.inbox(ALICE)).invites).toEqual([])
})

test.each(['?status=OPEN', '?limit=-1', '?limit=x'])('an inbox with %s is 400', async (query) => {
  const { client } = await open()
  await expect(client.inbox(BOB, query)).rejects.toMatchObject({ status: 400 })
})

test('without an agents file nobody has an inbox', async () => {
  const { client } = await open({ config: { agents_file: null } })
  await expect(client.inbox(BOB)).rejects.toMatchObject({ status: 401 })
})
