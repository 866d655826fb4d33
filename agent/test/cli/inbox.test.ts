import { describe, expect, test } from 'vitest'
import { NOW_SECONDS } from '../double/keys.js'
import { SESSION_ID } from '../double/session.js'
import { play, type SetUp, setUp } from './terminal.js'

const invited = async (): Promise<SetUp & { readonly at_relay: (home: string) => string[] }> => {
  const stage = await setUp()
  const { relay, policy, contractFile, homes, dids, at } = stage
  const created = await play([
    ...['session', 'new', '--relay', relay.url, '--policy', policy, '--contract', contractFile],
    ...['--invite', dids.seller, '--home', homes.buyer, '--out', at('unused.json')],
  ])
  expect(created.code).toBe(0)
  return { ...stage, at_relay: (home) => ['--relay', relay.url, '--policy', policy, '--home', home] }
}

describe('who is invited', () => {
  test('sees it, joins by the session alone, and is shown what it is about', async () => {
    const { at_relay, homes, dids } = await invited()
    const listed = await play(['session', 'list', ...at_relay(homes.seller)])
    expect(listed.out).toMatch(
      new RegExp(`^${SESSION_ID}  INVITED     responder  .*  from ${dids.buyer} \\(new to you\\)\n$`),
    )
    const joined = await play(['session', 'join', SESSION_ID, ...at_relay(homes.seller)])
    expect(joined).toMatchObject({ code: 0, out: `${SESSION_ID}\n` })
    expect(joined.err).toContain(
      `from      ${dids.buyer}\npurpose   NEGOTIATION\ntitle     Negotiation band\n`,
    )
    const after = await play(['session', 'list', ...at_relay(homes.seller), '--json'])
    expect(JSON.parse(after.out)).toMatchObject({
      invites: [],
      sessions: [{ state: 'CREATED', role: 'responder' }],
    })
  })

  test('may decline, for a reason of the list', async () => {
    const { at_relay, homes, relay } = await invited()
    const wrong = await play([
      'session',
      'decline',
      SESSION_ID,
      '--reason',
      'TIRED',
      ...at_relay(homes.seller),
    ])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('BUSY, NOT_INTERESTED') as string })
    expect(relay.session.declined).toBe(null)
    const declined = await play([
      'session',
      'decline',
      SESSION_ID,
      '--reason',
      'BUSY',
      ...at_relay(homes.seller),
    ])
    expect(declined).toMatchObject({ code: 0, out: 'declined\n' })
    expect(relay.session.declined).toBe('BUSY')
  })

  test('by the id of a session needs to say at which relay', async () => {
    const { policy, homes } = await invited()
    const joined = await play(['session', 'join', SESSION_ID, '--policy', policy, '--home', homes.seller])
    expect(joined).toMatchObject({ code: 1, err: expect.stringContaining('--relay') as string })
  })
})

describe('parley inbox', () => {
  const fill = ({ relay, dids }: SetUp, count: number): void => {
    const events = Array.from({ length: count }, (_, at) => ({
      seq: at + 1,
      event: 'declined' as const,
      session_id: SESSION_ID,
      role: 'responder' as const,
      reason_code: 'BUSY' as const,
      at: NOW_SECONDS,
    }))
    relay.session.events.set(dids.buyer, events)
  }

  test('prints an event a line, all pages of them', async () => {
    const stage = await invited()
    fill(stage, 70)
    const { out, code } = await play(['inbox', ...stage.at_relay(stage.homes.buyer)])
    expect([code, out.split('\n')]).toMatchObject([0, { length: 71 }])
    expect(out).toMatch(new RegExp(`^1  \\d{4}-.*Z  declined   ${SESSION_ID}  responder  BUSY\n`))
  })

  test('goes on after a number, and says in JSON what the last one is', async () => {
    const stage = await invited()
    fill(stage, 3)
    const asked = ['inbox', ...stage.at_relay(stage.homes.buyer), '--after', '2', '--json']
    expect(JSON.parse((await play(asked)).out)).toMatchObject({ missed: 0, last: 3, events: [{ seq: 3 }] })
    const late = await play(['inbox', ...stage.at_relay(stage.homes.buyer), '--after', '9'])
    expect(late).toMatchObject({ code: 3, out: '' })
  })

  test.each(['-1', '1.5', 'all'])('takes no number like %j', async (after) => {
    const { at_relay, homes } = await invited()
    expect(await play(['inbox', ...at_relay(homes.buyer), `--after=${after}`])).toMatchObject({ code: 1 })
  })
})
