import { describe, expect, test } from 'vitest'
import { SESSION_ID } from '../double/session.js'
import { type Stage, startStage } from '../double/stage.js'
import { contract } from '../double/terms.js'

const invited = async (): Promise<Stage> => {
  const stage = await startStage()
  const { buyer, seller, begin } = stage
  await buyer.create(await begin(buyer), { contract, invited: [seller.identity.did] })
  return stage
}

describe('an invite', () => {
  test('is joined by its session alone, without an invitation file', async () => {
    const { buyer, seller, begin, relay } = await invited()
    const { relay: attested } = await begin(seller)
    const { invites } = await seller.invites(attested)
    expect(invites).toMatchObject([
      { session_id: SESSION_ID, seats: [buyer.identity.did, seller.identity.did] },
    ])
    const invitation = await seller.invitation(attested, SESSION_ID)
    expect(invitation).toMatchObject({ contract, relay: relay.url, lane: 'software' })
    const session = await seller.join(await begin(seller), invitation)
    await seller.consent(session, await seller.offer(session, 0))
    const seqs = relay.inner.filter(
      ({ did, path }) => did === seller.identity.did && path.includes(SESSION_ID),
    )
    expect(seqs.every(({ seq }, at) => at === 0 || seq > (seqs[at - 1]?.seq ?? 0))).toBe(true)
  })

  test('to another contract than it names is refused', async () => {
    const { seller, begin, relay } = await invited()
    relay.tampering.offeredContract = { ...contract, metadata: null }
    const { relay: attested } = await begin(seller)
    await expect(seller.invitation(attested, SESSION_ID)).rejects.toMatchObject({
      code: 'invitation_refused',
    })
  })

  test('is declined with a reason', async () => {
    const { seller, begin, relay } = await invited()
    const { relay: attested } = await begin(seller)
    await seller.decline(attested, SESSION_ID, 'BUSY')
    expect(relay.session.declined).toBe('BUSY')
  })

  test('of somebody else is neither fetched nor declined', async () => {
    const { buyer, begin, relay } = await invited()
    const { relay: attested } = await begin(buyer)
    const refused = { code: 'invitation_refused' }
    await expect(buyer.invitation(attested, SESSION_ID)).rejects.toMatchObject(refused)
    await expect(buyer.decline(attested, SESSION_ID, 'OTHER')).rejects.toMatchObject(refused)
    expect(relay.session.declined).toBe(null)
  })

  test('that was refused once may be joined again: the number has grown', async () => {
    const { seller, begin, relay } = await invited()
    const invitation = await seller.invitation((await begin(seller)).relay, SESSION_ID)
    relay.tampering.refuse = ({ path }) => (path.endsWith('/join') ? 'relay_overloaded' : undefined)
    await expect(seller.join(await begin(seller), invitation)).rejects.toMatchObject({
      code: 'relay_overloaded',
    })
    delete relay.tampering.refuse
    await seller.join(await begin(seller), invitation)
    const [first, second] = relay.inner.filter(({ path }) => path.endsWith('/join'))
    expect(second?.seq).toBeGreaterThan(first?.seq ?? Infinity)
  })
})

test('the sessions of a key are those in which it has a seat', async () => {
  const { buyer, seller, begin } = await invited()
  const { relay } = await begin(buyer)
  expect((await buyer.sessions(relay)).sessions).toMatchObject([
    { session_id: SESSION_ID, role: 'initiator' },
  ])
  expect((await seller.sessions(relay)).sessions).toEqual([])
})
