import { contractHash } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { good, offeredPair, Participant, pairOf } from '../session/participant.js'
import { CONTRACT, testRelay } from '../session/test-relay.js'
import { decline, invitesOf } from './asker.js'

describe('the invites of a key', () => {
  it('name the contract, the seat, who invites, and until when', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    const now = relay.clock.nowSeconds()
    const { session_id } = await buyer.created({ ...CONTRACT, invite_ttl_secs: 60 }, seller.did)
    expect(await invitesOf(seller)).toEqual({
      invites: [
        {
          session_id,
          contract_hash: contractHash({ ...CONTRACT, invite_ttl_secs: 60 }),
          role: 'responder',
          known: false,
          seats: [buyer.did, seller.did],
          created_at: now,
          expires_at: now + 60,
        },
      ],
      left_off: 0,
    })
    expect((await invitesOf(buyer)).invites).toEqual([])
  })

  it.each<[string, (pair: ReturnType<typeof pairOf>) => Promise<unknown>]>([
    ['joined', ({ seller }) => seller.joined(CONTRACT)],
    ['declined', async ({ seller }) => good(await decline(seller))],
    ['cancelled', async ({ buyer }) => good(await buyer.cancel())],
  ])('wait no more once they are %s', async (_, settle) => {
    const pair = pairOf(testRelay())
    await pair.buyer.created(CONTRACT, pair.seller.did)
    pair.seller.session = pair.buyer.session
    await settle(pair)
    expect((await invitesOf(pair.seller)).invites).toEqual([])
  })

  it('come from those first whom the invitee has conferred with', async () => {
    const relay = testRelay()
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    const stranger = new Participant(relay, 'initiator')
    await stranger.created(CONTRACT, seller.did)
    await relay.clock.advance(2000)
    await buyer.created(CONTRACT, seller.did)
    const { invites } = await invitesOf(seller)
    expect(invites.map(({ session_id, known }) => [session_id, known])).toEqual([
      [buyer.session, true],
      [stranger.session, false],
    ])
  })
})

describe('strangers', () => {
  const LIMITS = { sessions_per_participant: 2 }

  it('in whatever number can’t put more than so many invites an hour into an inbox', async () => {
    const relay = testRelay({ limits: LIMITS })
    const { seller } = pairOf(relay)
    const invite = async (): Promise<Participant> => {
      const stranger = new Participant(relay, 'initiator')
      await stranger.created(CONTRACT, seller.did)
      return stranger
    }
    // That one is cancelled makes no room: otherwise events would come without end.
    for (const stranger of [await invite(), await invite()]) good(await stranger.cancel())
    const late = new Participant(relay, 'initiator')
    late.refused(await late.create(CONTRACT, seller.did), 'relay_overloaded', 'inbox_full /invited')
    await relay.clock.advance(3_600_000)
    await late.created(CONTRACT, seller.did)
  })

  it('never keep out whom the invitee has conferred with', async () => {
    const relay = testRelay({ limits: LIMITS })
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    const stranger = new Participant(relay, 'initiator')
    await stranger.created(CONTRACT, seller.did)
    const other = new Participant(relay, 'initiator')
    other.refused(await other.create(CONTRACT, seller.did), 'relay_overloaded')
    await buyer.created(CONTRACT, seller.did)
    expect((await invitesOf(seller)).invites).toHaveLength(2)
  })
})
