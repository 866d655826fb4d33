import { parseAccepted } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { decline, inboxOf, told } from '../inbox/asker.js'
import { good, offeredPair, Participant, type Pair, pairOf, type Reply } from './participant.js'
import { CONTRACT, testRelay, type TestRelay } from './test-relay.js'

const invitedPair = async (relay: TestRelay): Promise<Pair> => {
  const pair = pairOf(relay)
  await pair.buyer.created(CONTRACT, pair.seller.did)
  pair.seller.session = pair.buyer.session
  return pair
}

describe('a decline', () => {
  it('ends the session with a receipt for both, and tells the reason in the inbox', async () => {
    const { buyer, seller } = await invitedPair(testRelay())
    expect(parseAccepted(good(await decline(seller, 'NOT_INTERESTED')))).toEqual({
      state: 'ABORTED',
      input_commitment: null,
    })
    const outcome = { status: 'ABORTED', abort_class: 'CANCELLED' }
    expect((await buyer.bundle())['receipt']).toMatchObject({ outcome })
    expect((await seller.bundle())['receipt']).toMatchObject({ outcome })
    expect(told((await inboxOf(buyer)).events)).toEqual(['declined responder NOT_INTERESTED'])
  })

  it.each([['SORRY'], [''], ['busy']])(
    'for the reason %j is refused as request_malformed',
    async (reason) => {
      const { seller } = await invitedPair(testRelay())
      seller.refused(await decline(seller, reason), 'request_malformed')
      await seller.joined(CONTRACT)
    },
  )

  it('by whoever has joined is refused as state_conflict: it may cancel', async () => {
    const { buyer, seller } = await offeredPair(testRelay(), CONTRACT)
    seller.refused(await decline(seller), 'state_conflict')
    buyer.refused(await decline(buyer), 'state_conflict')
    good(await seller.cancel())
  })

  it('by whoever was not invited is refused as session_unknown', async () => {
    const relay = testRelay()
    const { buyer } = await invitedPair(relay)
    const other = new Participant(relay, 'responder')
    other.session = buyer.session
    other.refused(await decline(other), 'session_unknown')
  })

  it('a second time is refused as state_conflict', async () => {
    const { seller } = await invitedPair(testRelay())
    good(await decline(seller))
    seller.refused(await decline(seller), 'state_conflict')
  })

  it('whose commit fails leaves the invite as it was', async () => {
    const relay = testRelay()
    const { seller } = await invitedPair(relay)
    relay.disk.failures = 1
    seller.refused(await decline(seller), 'relay_failed')
    await seller.joined(CONTRACT)
  })
})

const EARLY_SECONDS = 5
const wins = (reply: Reply): boolean => reply.status === 200

describe.each(['first', 'second'] as const)('of two at once the %s to arrive wins, alone:', (winner) => {
  const race = async (
    pair: Pair,
    one: () => Promise<Reply>,
    other: () => Promise<Reply>,
  ): Promise<string[]> => {
    const [begun, after] = winner === 'first' ? [one, other] : [other, one]
    const replies = await Promise.all([begun(), after()])
    expect(replies.map(wins)).toEqual([true, false])
    return told((await inboxOf(pair.buyer)).events)
  }

  it('a join and a cancellation leave a session in one state', async () => {
    const pair = await invitedPair(testRelay())
    const { buyer, seller } = pair
    // A cancellation after a join is one of a session that was joined, and as good: it is the offer that it ends.
    const [joined, cancelled] =
      winner === 'first'
        ? await Promise.all([seller.join(CONTRACT), buyer.cancel()])
        : (await Promise.all([buyer.cancel(), seller.join(CONTRACT)])).reverse()
    expect([joined?.status, cancelled?.status]).toEqual([winner === 'first' ? 200 : 409, 200])
    const { receipt } = (await buyer.bundle()) as { receipt: { offer_digest: string | null } }
    expect(receipt.offer_digest === null).toBe(winner === 'second')
    const tail = told((await inboxOf(buyer)).events)
    expect(tail).toEqual(
      winner === 'first' ? ['joined responder', 'offered', 'cancelled initiator'] : ['cancelled initiator'],
    )
  })

  it('a join and a decline of one invitee', async () => {
    const pair = await invitedPair(testRelay())
    const { seller } = pair
    const seen = await race(
      pair,
      () => seller.join(CONTRACT),
      () => decline(seller),
    )
    expect(seen).toEqual(winner === 'first' ? ['joined responder', 'offered'] : ['declined responder BUSY'])
  })

  it('a decline and a cancellation', async () => {
    const pair = await invitedPair(testRelay())
    const { buyer, seller } = pair
    const seen = await race(
      pair,
      () => decline(seller),
      () => buyer.cancel(),
    )
    expect(seen).toEqual([winner === 'first' ? 'declined responder BUSY' : 'cancelled initiator'])
    expect((await buyer.bundle())['receipt']).toEqual((await seller.bundle())['receipt'])
  })
})

describe('at the moment of its expiry an invite', () => {
  const BRIEF = { ...CONTRACT, invite_ttl_secs: EARLY_SECONDS }
  const LATE: [string, (pair: Pair) => Promise<Reply>, string[], string[]][] = [
    ['joined', ({ seller }) => seller.join(BRIEF), ['joined responder', 'offered'], ['offered']],
    ['declined', ({ seller }) => decline(seller), ['declined responder BUSY'], ['declined responder BUSY']],
  ]
  const brief = async (relay: TestRelay): Promise<Pair> => {
    const pair = pairOf(relay)
    await pair.buyer.created(BRIEF, pair.seller.did)
    pair.seller.session = pair.buyer.session
    return pair
  }

  it.each(LATE)('is %s if that arrives before, and then does not expire', async (_, act, first, second) => {
    const relay = testRelay()
    const pair = await brief(relay)
    const acting = act(pair)
    await relay.clock.advance(EARLY_SECONDS * 1000)
    good(await acting)
    expect(told((await inboxOf(pair.buyer)).events)).toEqual(first)
    expect(told((await inboxOf(pair.seller)).events)).toEqual(['invited responder', ...second])
  })

  it.each(LATE)('is not %s any more if that arrives after, and its receipt says EXPIRED', async (_, act) => {
    const relay = testRelay()
    const pair = await brief(relay)
    await relay.clock.advance(EARLY_SECONDS * 1000)
    pair.seller.refused(await act(pair), 'session_expired')
    const outcome = { status: 'ABORTED', abort_class: 'EXPIRED' }
    expect((await pair.buyer.bundle())['receipt']).toMatchObject({ outcome })
    expect(told((await inboxOf(pair.seller)).events)).toEqual(['invited responder', 'expired'])
  })
})
