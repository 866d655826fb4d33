import { closeSync, cpSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { RelayRefusal } from '@parley/agent'
import {
  fromBase64url,
  type Lane,
  ledgerHead,
  parseEd25519PublicKey,
  verifyLedgerEntry,
  verifyRefusal,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { sawPlaintext } from '../../scripts/src/demo/plaintext-search.js'
import type { ProcessorOptions } from '../../scripts/src/processor/index.js'
import { askResult } from '../harness/ask-result.js'
import { freshFolder } from '../harness/cleanup.js'
import { agreed, confer } from '../harness/confer.js'
import { NEGOTIATION } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { makeProcessor, theProcessor } from '../harness/processor.js'
import { fresh, LANES, openRelay } from '../harness/relay.js'
import { prepareRelay, startRelayProcess } from '../harness/relay-process.js'
import { bytesIn, filesIn } from '../harness/search.js'
import { CHARGE, spentOf } from '../harness/spent.js'
import { newParty, openStage, type Stage } from '../harness/stage.js'
import { stageBefore } from '../harness/stage.js'

const create = async ({ buyer, begin }: Stage): Promise<unknown> =>
  buyer.create(await begin(buyer), { contract: NEGOTIATION, invited: [null] }).then(
    () => 'accepted',
    (error: unknown) => error,
  )

/** What an owner can show to anybody: the relay's signed no to a head that a relay had signed itself. */
const proofOf = (refused: unknown, receiptKey: string): string => {
  if (!(refused instanceof RelayRefusal)) throw new Error(`no refusal: ${String(refused)}`)
  return verifyRefusal({ ...refused.refusal }, parseEd25519PublicKey(fromBase64url(receiptKey))).code
}

describe('a software relay over an earlier copy of its store', () => {
  it('refuses the head that its owner carries, and signs that; over the latest store it accepts it', async () => {
    const [buyer, seller] = [newParty(), newParty()]
    const [store, early, late] = [freshFolder(), freshFolder(), freshFolder()]
    const session = async (): Promise<void> => {
      const stage = await openStage('software', { store }, buyer, seller)
      await confer(stage)
      await stage.relay.close()
    }
    await session()
    cpSync(store, early, { recursive: true })
    await session()
    cpSync(store, late, { recursive: true })

    const rolledBack = await openStage('software', { store: early }, buyer, seller)
    expect(proofOf(await create(rolledBack), rolledBack.relay.keyset.receipt_key)).toBe('ledger_head_unknown')
    const latest = await openStage('software', { store: late }, buyer, seller)
    expect(await create(latest)).toBe('accepted')
    expect(await spentOf(latest, buyer)).toBe(2 * CHARGE)
    // The other owner's chain is refused as well: each carries its own head.
    const other = { ...rolledBack, buyer: seller }
    expect(proofOf(await create(other), rolledBack.relay.keyset.receipt_key)).toBe('ledger_head_unknown')
  })

  it('whose store was emptied goes on from the head that is carried: nothing is won', async () => {
    const [buyer, seller] = [newParty(), newParty()]
    const store = freshFolder()
    const before = await openStage('software', { store }, buyer, seller)
    await confer(before)
    await before.relay.close()
    rmSync(join(store, 'software'), { recursive: true })
    const after = await openStage('software', { store }, buyer, seller)
    expect(await spentOf(after, buyer)).toBe(CHARGE)
  })
})

describe('a confidential relay that starts over a store of an earlier time', () => {
  it('reads nothing of it, and each budget goes on from the head that its owner carries', async () => {
    const [buyer, seller] = [newParty(), newParty()]
    const [store, early] = [freshFolder(), freshFolder()]
    const first = await openStage('confidential', { store }, buyer, seller)
    await confer(first)
    cpSync(store, early, { recursive: true })
    await confer(first)
    await first.relay.close()
    const second = await openStage('confidential', { store: early }, buyer, seller)
    expect(second.relay.lines[0]).toContain('"event":"previous_epoch_lost"')
    expect(await spentOf(second, buyer)).toBe(2 * CHARGE)
    await confer(second)
    expect(await spentOf(second, buyer)).toBe(3 * CHARGE)
    expect(await openRelay('confidential', { store })).toMatchObject({ lane: 'confidential' })
  })
})

describe('a confidential relay whose sealing key the chip derives', () => {
  const chipSecret = fresh(32)
  const sealing = 'snp-derived'
  const guest = async (more: Partial<ProcessorOptions> = {}) => {
    const { collector } = await makeProcessor((await theProcessor()).vendor, { chipSecret, ...more })
    return { collector, sealing } as const
  }

  it('goes on after a restart: releases are read again, chains continue under the new keyset', async () => {
    const [buyer, seller] = [newParty(), newParty()]
    const store = freshFolder()
    const first = await openStage('confidential', { store, ...(await guest()) }, buyer, seller)
    const [bundle] = await confer(first)
    const open = await agreed(first)
    await first.relay.close()
    expect(sawPlaintext(bytesIn(join(store, 'confidential')), [buyer.identity.did, 'parley-bundle-v1'])).toBe(
      false,
    )

    const second = await openStage('confidential', { store, ...(await guest()) }, buyer, seller)
    expect(second.relay.lines.join()).not.toContain('previous_epoch_lost')
    expect(second.relay.keyset.epoch).not.toBe(first.relay.keyset.epoch)
    const relay = await second.attest(buyer)
    const { session_id, outcome } = bundle.receipt
    for (const [who, role] of [
      [buyer, 'initiator'],
      [seller, 'responder'],
    ] as const) {
      const again = await askResult(relay, who.identity, role, session_id)
      expect(again.state).toBe(outcome.status)
      expect(again.bundle?.receipt).toEqual(bundle.receipt)
    }
    // What had not been committed is gone, and nothing was charged for it.
    const lost = open.bought.file.record.session_id
    expect(await codeOf(askResult(relay, buyer.identity, 'initiator', lost))).toBe('session_unknown')
    expect(await spentOf(second, buyer)).toBe(CHARGE)
    const entry = (await confer(second))[0].openings.ledger[0]?.after
    expect(entry).toMatchObject({ after_millibits: 2 * CHARGE, keyset_digest: second.relay.keysetDigest })
  })

  it('over a whole earlier copy of its store refuses the head that its owner carries', async () => {
    const [buyer, seller] = [newParty(), newParty()]
    const [store, early] = [freshFolder(), freshFolder()]
    for (const copied of [true, false]) {
      const stage = await openStage('confidential', { store, ...(await guest()) }, buyer, seller)
      await confer(stage)
      await stage.relay.close()
      if (copied) cpSync(store, early, { recursive: true })
    }
    const rolledBack = await openStage('confidential', { store: early, ...(await guest()) }, buyer, seller)
    expect(proofOf(await create(rolledBack), rolledBack.relay.keyset.receipt_key)).toBe('ledger_head_unknown')
    const latest = await openStage('confidential', { store, ...(await guest()) }, buyer, seller)
    expect(await spentOf(latest, buyer)).toBe(2 * CHARGE)
  })

  it.each<[string, Partial<ProcessorOptions>]>([
    ['measurement', { measurement: new Uint8Array(48).fill(9) }],
    ['guest policy', { guestPolicy: 0xb0000n }],
    ['TCB', { tcb: Uint8Array.of(4, 0, 0, 0, 0, 0, 25, 219) }],
    ['chip', { chipSecret: new Uint8Array(32).fill(9) }],
  ])('does not open under another %s, and there is no relay', async (_, other) => {
    const store = freshFolder()
    await (await openRelay('confidential', { store, ...(await guest()) })).close()
    expect(await codeOf(openRelay('confidential', { store, ...(await guest(other)) }))).toBe(
      'store_sealed_otherwise',
    )
    expect(await openRelay('confidential', { store, ...(await guest()) })).toMatchObject({
      lane: 'confidential',
    })
  })

  it('does not start where no key can be derived: it falls back to nothing', async () => {
    const { collector } = await guest()
    const { deriveKey: _, ...reportsOnly } = collector
    const store = freshFolder()
    const wish = { store, sealing, collector: reportsOnly } as const
    expect(await codeOf(openRelay('confidential', wish))).toBe('sealing_key_unavailable')
    expect(readdirSync(store)).toEqual([])
  })
})

describe.each(LANES)('a relay of the %s lane whose disk is rolled back while it runs', (lane) => {
  const code: Readonly<Record<Lane, string>> = {
    // It remembers what it committed, and answers nothing over a disk that says otherwise.
    confidential: 'relay_failed',
    software: 'ledger_head_unknown',
  }

  it('refuses the carried head; refusal and head, signed by the same key, contradict each other', async () => {
    const folder = freshFolder()
    prepareRelay(folder)
    const relay = await startRelayProcess(lane, folder)
    const stage = await stageBefore(relay)
    await confer(stage)
    const kept = filesIn(join(folder, 'store'))
      .filter((path) => path.endsWith('data.mdb'))
      .map((path) => ({ path, bytes: readFileSync(path) }))
    expect(kept).toHaveLength(1)
    const [bundle] = await confer(stage)
    expect(await create(stage)).toBe('accepted')
    for (const { path, bytes } of kept) overwrite(path, bytes)
    const refused = await create(stage)
    const { receipt_key } = relay.keyset
    expect(proofOf(refused, receipt_key)).toBe(code[lane])
    const head = bundle.openings.ledger[0]?.after ?? null
    if (head === null) throw new Error('no head')
    expect(verifyLedgerEntry({ ...head }, parseEd25519PublicKey(fromBase64url(receipt_key)))).toEqual(head)
    expect(ledgerHead(head)).toBe(bundle.receipt.participants[0]?.head_after)
    expect(head.keyset_digest).toBe(bundle.receipt.relay.keyset_digest)
  })
})

const overwrite = (path: string, bytes: Buffer): void => {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
}
