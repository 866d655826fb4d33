import { expect, test } from 'vitest'
import { generateIdentity, Participant, stateInFolder, stateInMemory } from '../src/index.js'
import { consentBoth, freshFolder, startStage, testClock } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

const ONCE = { waitMs: 0, hardwareWaitMs: 0, openInput: true }

const inMemory = () => {
  const state = stateInMemory()
  const identity = generateIdentity()
  const party = () =>
    Object.assign(new Participant({ identity, home: state, clock: testClock() }), { folder: '' })
  return { state, party }
}

test('a participant whose state is in memory confers, and holds its new ledger head', async () => {
  const stage = await startStage()
  const { state, party } = inMemory()
  const { bought, sold } = await consentBoth({ ...stage, buyer: party() })
  await stage.buyer.submit(bought, BUYER, 0)
  await stage.seller.submit(sold, SELLER, 0)
  const bundle = await stage.buyer.result(bought, ONCE)
  expect(bundle.receipt.outcome.status).toBe('COMPLETED')
  const after = bundle.openings.ledger.find(({ role }) => role === 'initiator')?.after
  expect(await state.wallet.held('software', 'price')).toEqual(after)
})

test('a session in memory is gone on with by whoever has that memory', async () => {
  const stage = await startStage()
  const { party } = inMemory()
  const { bought } = await consentBoth({ ...stage, buyer: party() })
  const resumed = await party().resume(bought.file.record.session_id)
  expect(resumed.file.record).toEqual(bought.file.record)
})

test.each([
  ['in memory', () => Promise.resolve(stateInMemory())],
  ['in a folder', async () => stateInFolder(await freshFolder())],
])('state %s has no session that was not begun, and begins none twice', async (_, make) => {
  const state = await make()
  const stage = await startStage()
  const { bought } = await consentBoth(stage)
  const { record } = bought.file
  await expect(state.open(record.session_id)).rejects.toMatchObject({ code: 'state_missing' })
  await expect(state.open('../identity')).rejects.toMatchObject({ code: 'state_missing' })
  await state.begin(record)
  await expect(state.begin(record)).rejects.toMatchObject({ code: 'state_exists' })
})

test('a wallet in memory holds a head for its tag alone', async () => {
  const stage = await startStage()
  const { bought } = await consentBoth(stage)
  const { wallet } = stateInMemory()
  const entry = bought.file.record.ledger_entry
  if (entry === null) throw new Error('no entry')
  await wallet.keep(entry, bought.relay.keyset.receiptKey)
  expect(await wallet.held('software', entry.tag)).toEqual(entry)
  expect(await wallet.held('software', 'another')).toBeNull()
})
