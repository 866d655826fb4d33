import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ledgerHead } from '@parley/protocol'
import { parseVerifierPolicy, verifyBundle } from '@parley/verifier'
import { expect, test } from 'vitest'
import { bundleBytes, LedgerWallet, Participant } from '../src/index.js'
import { evidenceOf, makeKeys, NOW_SECONDS, policyFor } from './double/keys.js'
import { startRelay } from './double/relay.js'
import { SESSION_ID } from './double/session.js'
import { consentBoth, seatBoth, startParticipant, startStage, testClock } from './double/stage.js'
import { BUYER, contract, SELLER } from './double/terms.js'

const ONCE = { waitMs: 0, hardwareWaitMs: 0, openInput: false }

test('two participants confer, and each gets a bundle that verifies offline', async () => {
  const stage = await startStage()
  const { bought, sold } = await consentBoth(stage)
  await stage.buyer.submit(bought, BUYER, 0)
  await stage.seller.submit(sold, SELLER, 0)
  const bundles = [
    await stage.buyer.result(bought, { ...ONCE, openInput: true }),
    await stage.seller.result(sold, ONCE),
  ]
  for (const bundle of bundles) {
    const policy = parseVerifierPolicy(stage.trust.policy)
    const verdict = await verifyBundle({
      bytes: bundleBytes(bundle),
      policy,
      roots: [],
      now: NOW_SECONDS * 1000,
    })
    expect(verdict.checks.filter(({ result }) => result === 'failed')).toEqual([])
    expect(verdict).toMatchObject({
      trusted: true,
      output: { overlap: 'MODERATE', band: 'TENS_OF_THOUSANDS' },
    })
  }
  expect(bundles[0]?.openings.inputs).toMatchObject([{ role: 'initiator', input: BUYER }])
  expect(bundles[1]?.openings.inputs).toEqual([])
})

test('after a session its owner holds the new ledger head, and claims it in the next', async () => {
  const stage = await startStage()
  const { bought, sold } = await consentBoth(stage)
  await stage.buyer.submit(bought, BUYER, 0)
  await stage.seller.submit(sold, SELLER, 0)
  const { receipt } = await stage.buyer.result(bought, ONCE)
  const held = await new LedgerWallet(join(stage.buyer.folder, 'ledger')).held('software', 'price')
  expect(held === null ? null : ledgerHead(held)).toBe(receipt.participants[0]?.head_after)
})

test('whoever fetches no result holds the head of the offer', async () => {
  const stage = await startStage()
  const { bought, sold } = await consentBoth(stage)
  await stage.seller.submit(sold, SELLER, 0)
  for (const [{ folder }, session] of [
    [stage.buyer, bought],
    [stage.seller, sold],
  ] as const) {
    const held = await new LedgerWallet(join(folder, 'ledger')).held('software', 'price')
    expect(held).toEqual(session.file.record.ledger_entry)
    expect(held).toMatchObject({ kind: 'open', seq: 0 })
  }
})

test('the head of an offer that is refused is not held', async () => {
  const stage = await startStage({ offer: () => ({ egress_channel: 'unbounded' }) })
  const { bought } = await seatBoth(stage)
  await expect(stage.buyer.offer(bought, 0)).rejects.toMatchObject({ code: 'offer_refused' })
  expect(await new LedgerWallet(join(stage.buyer.folder, 'ledger')).held('software', 'price')).toBeNull()
})

test('a session goes on in another run, from its file alone', async () => {
  const stage = await startStage()
  await seatBoth(stage)
  const again = await stage.buyer.resume(SESSION_ID)
  await stage.buyer.offer(again, 0)
  expect(stage.relay.outer.filter((path) => path === '/evidence?key_id=7')).toHaveLength(1)
})

test('a session is not resumed at a relay with other keys, though they are trusted too', async () => {
  const keys = [makeKeys(), makeKeys()] as const
  const relay = await startRelay(keys[0])
  const policy = policyFor(keys[0])
  const receipt_key = { one_of: keys.map(({ keyset }) => keyset.receipt_key) }
  const trust = { policy: { ...policy, relay: { ...policy.relay, receipt_key } }, roots: [] }
  const buyer = await startParticipant()
  const budget = { tag: 'price', limitMillibits: null }
  const begin = { relay: await buyer.attest(relay.url, trust), trust, budget }
  await buyer.create(begin, { contract, invited: [null] })
  relay.tampering.evidence = (nonce) => evidenceOf(keys[1], nonce)
  await expect(buyer.resume(SESSION_ID)).rejects.toMatchObject({ code: 'relay_changed' })
  expect(relay.inner).toHaveLength(1)
})

test('a session is not resumed by another identity', async () => {
  const stage = await startStage()
  await seatBoth(stage)
  const other = new Participant({
    identity: stage.seller.identity,
    home: stage.buyer.folder,
    clock: testClock(),
  })
  await expect(other.resume(SESSION_ID)).rejects.toMatchObject({ code: 'state_malformed' })
})

test.each(['', '../identity', 'g'.repeat(64), `${'a'.repeat(64)}/`])(
  'a session is not named by %j',
  async (id) => {
    const { buyer } = await startStage()
    await expect(buyer.resume(id)).rejects.toMatchObject({ code: 'state_missing' })
  },
)

test('whatever a participant keeps is its owner’s alone', async () => {
  const stage = await startStage()
  await seatBoth(stage)
  const path = join(stage.buyer.folder, 'sessions', `${SESSION_ID}.json`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ role: 'initiator', tag: 'price' })
})
