import type { Bundle, InboxEvent } from '@parley/protocol'
import { Participant } from '@parley/agent'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, collectBoth, submitBoth } from '../harness/confer.js'
import { CEILING, FLOOR, NEGOTIATION } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { prepareRelay, startRelayProcess } from '../harness/relay-process.js'
import { newParty, type OpenStage, openStage, type Party, type Stage, stageBefore } from '../harness/stage.js'
import { virtualClock } from '../harness/virtual-clock.js'

const WISH = { waitMs: 60_000, hardwareWaitMs: 0, openInput: false }
const BRIEF = { ...NEGOTIATION, invite_ttl_secs: 30 }

const told = (events: readonly InboxEvent[]): string[] => events.map(({ event }) => event)

/** The whole inbox of somebody, as of now. */
const read = async (stage: Stage, who: Participant): Promise<readonly InboxEvent[]> =>
  (await who.inbox(await stage.attest(who), 0, 0)).events

const requireOrder = (events: readonly InboxEvent[]): void => {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
}

/** A stage before the same relay with participants who have never conferred. */
const fresh = ({ url, stage }: { url: string; stage: Stage }): Promise<Stage> =>
  stageBefore({ url, trust: stage.trust }, newParty(), newParty())

describe.each(LANES)('invites of the %s lane', (lane) => {
  let stage: OpenStage
  const clock = virtualClock()
  beforeAll(async () => {
    stage = await openStage(lane, { clock })
  })
  const anew = (): Promise<Stage> => fresh({ url: stage.relay.url, stage })
  const invite = async (at: Stage, contract = NEGOTIATION) => {
    const { buyer, seller, begin } = at
    const { session } = await buyer.create(await begin(buyer), {
      contract,
      invited: [seller.identity.did],
    })
    return { session, id: session.file.record.session_id, relay: await at.attest(seller) }
  }
  const endOf = async (at: Stage, id: string): Promise<Bundle> =>
    at.buyer.result(await at.buyer.resume(id), WISH)

  it('are accepted by the session alone, and the two are never there at once', async () => {
    const at = await anew()
    const { id, relay } = await invite(at)
    // Every step begins from what is on the disk: nobody waits, and nobody hands anything over.
    const late = new Participant({ identity: at.seller.identity, home: at.seller.home })
    const invitation = await late.invitation(relay, id)
    await late.join(await at.begin(late), invitation)
    const bought = await at.buyer.resume(id)
    await at.buyer.consent(bought, await at.buyer.offer(bought, 0))
    const sold = await late.resume(id)
    await late.consent(sold, await late.offer(sold, 0))
    await late.submit(sold, FLOOR, 0)
    await at.buyer.submit(await at.buyer.resume(id), CEILING, 0)
    const bundle = await endOf(at, id)
    expect((await judge(bundle, at.trust)).trusted).toBe(true)
    const [first, second] = [await read(at, at.buyer), await read(at, late)]
    expect(told(first)).toEqual(['joined', 'offered', 'consented', 'ended'])
    expect(told(second)).toEqual(['invited', 'offered', 'consented', 'ended'])
    ;[first, second].forEach(requireOrder)
  })

  it('that are declined end with a receipt for both, and a reason', async () => {
    const at = await anew()
    const { id, relay } = await invite(at)
    await at.seller.decline(relay, id, 'NOT_INTERESTED')
    const bundle = await endOf(at, id)
    expect(bundle.receipt.outcome).toEqual({ status: 'ABORTED', abort_class: 'CANCELLED' })
    expect((await judge(bundle, at.trust)).trusted).toBe(true)
    expect(await read(at, at.buyer)).toMatchObject([{ event: 'declined', reason_code: 'NOT_INTERESTED' }])
    expect(await codeOf(at.seller.decline(relay, id, 'BUSY'))).toBe('invitation_refused')
  })

  it('that are cancelled or expire end with a receipt, and can’t be accepted any more', async () => {
    const at = await anew()
    const cancelled = await invite(at)
    const expired = await invite(at, BRIEF)
    const invitations = await Promise.all(
      [cancelled, expired].map(({ relay, id }) => at.seller.invitation(relay, id)),
    )
    await at.buyer.cancel(cancelled.session)
    clock.leap(30_000)
    const [first, second] = await Promise.all([cancelled, expired].map(({ id }) => endOf(at, id)))
    expect([first?.receipt.outcome.abort_class, second?.receipt.outcome.abort_class]).toEqual([
      'CANCELLED',
      'EXPIRED',
    ])
    const codes: unknown[] = []
    for (const invitation of invitations)
      codes.push(await codeOf(at.begin(at.seller).then((begin) => at.seller.join(begin, invitation))))
    expect(codes).toEqual(['state_conflict', 'session_expired'])
    const events = await read(at, at.seller)
    expect(told(events)).toEqual(['invited', 'invited', 'cancelled', 'expired'])
    requireOrder(events)
    expect((await at.seller.invites(await at.attest(at.seller))).invites).toEqual([])
  })

  it.each(['cancel', 'decline'] as const)('where a join and a %s meet, exactly one counts', async (other) => {
    for (let round = 0; round < 4; round++) {
      const at = await anew()
      const { session, id, relay } = await invite(at)
      const invitation = await at.seller.invitation(relay, id)
      const begin = await at.begin(at.seller)
      const against = (): Promise<void> =>
        other === 'cancel' ? at.buyer.cancel(session) : at.seller.decline(relay, id, 'BUSY')
      await Promise.allSettled([at.seller.join(begin, invitation), against()])
      const events = told(await read(at, at.buyer))
      // A cancellation also ends what was joined before it; a decline does not.
      const possible =
        other === 'cancel'
          ? [['cancelled'], ['joined', 'offered', 'cancelled']]
          : [['declined'], ['joined', 'offered']]
      expect(possible).toContainEqual(events)
      if (events.at(-1) === 'offered') continue
      const { receipt } = await endOf(at, id)
      expect(receipt.outcome.abort_class).toBe('CANCELLED')
      expect(receipt.offer_digest === null).toBe(!events.includes('offered'))
    }
  })

  it('tell the same whatever the inputs and the output were', async () => {
    const seen: string[][] = []
    for (const ceiling of [1, 2_000_000]) {
      const at = await anew()
      const seated = await agreed(at)
      await submitBoth(at, seated, [{ ...CEILING, ceiling }, FLOOR])
      await collectBoth(at, seated)
      seen.push((await read(at, at.seller)).map(({ event, role }) => `${event} ${role ?? ''}`))
    }
    expect(seen[0]).toEqual(seen[1])
  })
})

describe('an inbox over a store that survives', () => {
  it('goes on after the relay was killed, says what was lost, and results are fetched again', async () => {
    const folder = freshFolder()
    prepareRelay(folder)
    const relay = await startRelayProcess('software', folder)
    const stage = await stageBefore(relay)
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const [bundle] = await collectBoth(stage, seated)
    const { session: open } = await stage.buyer.create(await stage.begin(stage.buyer), {
      contract: NEGOTIATION,
      invited: [stage.seller.identity.did],
    })
    const before = await read(stage, stage.seller)
    await relay.kill()
    const successor = await startRelayProcess('software', folder)
    const after = await stageBefore(successor, stage.buyer, stage.seller)
    const events = await read(after, after.seller)
    expect(events.slice(0, before.length)).toEqual(before)
    expect(events.slice(before.length)).toMatchObject([
      { event: 'lost', session_id: open.file.record.session_id },
    ])
    requireOrder(events)
    // From where it was left: nothing twice, nothing left out.
    const { events: news } = await after.seller.inbox(await after.attest(after.seller), before.length, 0)
    expect(news).toEqual(events.slice(before.length))
    const id = bundle.receipt.session_id
    for (const who of [after.buyer, after.seller, after.buyer]) {
      const again = await who.result(await who.revisit(id, await after.attest(who)), WISH)
      expect(again.receipt).toEqual(bundle.receipt)
      expect((await judge(again, stage.trust)).trusted).toBe(true)
    }
    await successor.stop()
  })
})

describe('strangers', () => {
  it('can fill the room that an inbox has for them, and keep out nobody that it knows', async () => {
    const stage = await openStage('software', { limits: { sessions_per_participant: 4 } })
    const { seller } = stage
    const seated = await agreed(stage)
    await stage.buyer.cancel(seated.bought)
    const invite = async (who: Party): Promise<unknown> =>
      who.create(await stage.begin(who), { contract: NEGOTIATION, invited: [seller.identity.did] })
    for (let n = 0; n < 3; n++) await invite(newParty())
    expect(await codeOf(invite(newParty()))).toBe('relay_overloaded')
    await invite(stage.buyer)
    const { invites } = await seller.invites(await stage.attest(seller))
    expect(invites.map(({ known }) => known)).toEqual([true, false, false, false])
  })
})
