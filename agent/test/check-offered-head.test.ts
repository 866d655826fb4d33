import { type LedgerEntry, signLedgerEntry } from '@parley/protocol'
import { rename } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { DoubleSeat } from './double/seat.js'
import { DoubleSession } from './double/session.js'
import { consentBoth, seatBoth, type Stage, startStage } from './double/stage.js'
import { BUYER, SELLER } from './double/terms.js'

/** A second session about the same secret, whose initiator holds the head of the first. */
const second = async (): Promise<{
  stage: Stage
  held: LedgerEntry
  seat: DoubleSeat
  offer: () => Promise<unknown>
}> => {
  const stage = await startStage()
  const { bought, sold } = await consentBoth(stage)
  await stage.buyer.submit(bought, BUYER, 0)
  await stage.seller.submit(sold, SELLER, 0)
  await stage.buyer.result(bought, { waitMs: 0, hardwareWaitMs: 0, openInput: false })
  const again = await anew(stage)
  const seat = stage.relay.session.seats.initiator
  if (seat === undefined) throw new Error('nobody has joined')
  return { stage, held: seat.head, seat, offer: () => stage.buyer.offer(again.bought, 0) }
}

/** The same participants and relay, with other session files: the double knows one session id only. */
const anew = async (stage: Stage) => {
  for (const { folder } of [stage.buyer, stage.seller])
    await rename(`${folder}/sessions`, `${folder}/sessions-before`)
  stage.relay.session = new DoubleSession(stage.relay.keys, stage.relay.tampering)
  return seatBoth(stage)
}

describe('the second session about a secret', () => {
  test('claims the head of the first, and takes an offer on it', async () => {
    const { held, offer } = await second()
    expect(held).toMatchObject({ seq: 1, kind: 'debit' })
    await expect(offer()).resolves.toBeDefined()
  })

  test.each<[string, (held: LedgerEntry) => Partial<LedgerEntry>]>([
    [
      'an earlier entry',
      () => ({ seq: 0, before_millibits: 0, charge_millibits: 0, after_millibits: 0, kind: 'open' }),
    ],
    ['another entry of the same number', ({ seq }) => ({ seq, at: 1 })],
    [
      'a later entry with less spent',
      ({ seq }) => ({ seq: seq + 1, before_millibits: 0, after_millibits: 0, charge_millibits: 0 }),
    ],
    ['a later entry with a higher limit', ({ seq }) => ({ seq: seq + 1, limit_millibits: 20_001 })],
  ])('refuses an offer on %s: the relay was rolled back', async (_title, change) => {
    const { stage, held, seat, offer } = await second()
    const { signature: _, ...unsigned } = { ...held, ...change(held) }
    stage.relay.session.seats.initiator = {
      ...seat,
      head: signLedgerEntry(unsigned, stage.relay.keys.receiptKey),
    }
    await expect(offer()).rejects.toMatchObject({ code: 'ledger_mismatch' })
  })

  test('takes an offer on a later entry of its chain', async () => {
    const { stage, held, seat, offer } = await second()
    const { signature: _, ...unsigned } = { ...held, seq: held.seq + 1 }
    stage.relay.session.seats.initiator = {
      ...seat,
      head: signLedgerEntry(unsigned, stage.relay.keys.receiptKey),
    }
    await expect(offer()).resolves.toBeDefined()
  })
})
