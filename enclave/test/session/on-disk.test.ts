import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseBundle, receiptCore, receiptLeaf, verifyBinding } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.js'
import { systemClock } from '../../src/clock.js'
import { openEvidenceDesk } from '../../src/evidence/evidence-desk.js'
import { createReporter } from '../../src/evidence/reporter.js'
import type { LogEvent } from '../../src/log.js'
import { createSessions } from '../../src/session/app.js'
import { openRelayStore } from '../../src/store/open-relay-store.js'
import { fresh, temporaryDirectory, testKeys } from '../boot.js'
import { testChip } from '../chip.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { FLOOR, pairOf, submittedPair } from './participant.js'
import { CONTRACT, LIMITS, testRelay, type TestRelay } from './test-relay.js'

const CANARY = { ceiling: 987_654_321, currency: 'EUR' }

/** A relay of real parts: LMDB, sealed where the lane says so, real reports of a chip, the clock of this machine. */
async function relayOnDisk(
  lane: 'software' | 'confidential',
): Promise<TestRelay & { readonly directory: string }> {
  const directory = temporaryDirectory()
  const clock = systemClock()
  const { deps: model } = testRelay({ lane })
  const limits = { ...LIMITS, tick_ms: 10, release_slot_ms: 100, report_window_ms: 10 }
  const bundle = { ...model.bundle, limits }
  const keys = testKeys(lane, clock.nowSeconds(), bundle)
  const logged: LogEvent[] = []
  const log = (event: LogEvent): void => void logged.push(event)
  const { keyset, keysetDigest, receiptKey, sealingKey } = keys
  const collector = lane === 'confidential' ? (await testChip()).collector : null
  const binder = { lane, keysetDigest, receiptKey, collector, random: fresh }
  const reporter = createReporter(binder, limits.report_window_ms, clock, log)
  const desk = await openEvidenceDesk(keys, reporter)
  const place = { profile: lane, directory, epoch: keyset.epoch }
  const store = await openRelayStore({ ...place, sealingKey, lasting: false, random: fresh, log })
  const audit = openAuditLog({ keys, store, clock, random: fresh })
  const deps = {
    ...desk,
    keys,
    store,
    audit,
    reporter,
    bundle,
    effectPolicy: model.effectPolicy,
    evaluator: inProcessEvaluator,
    models: new Map(),
    clock,
    random: fresh,
    log,
  }
  return {
    ...testRelay({ lane }),
    deps,
    sessions: createSessions(deps),
    clock: { ...clock, advance: (ms) => sleep(ms) },
    logged,
    directory,
    wait: (pending) => pending,
  }
}

const filesIn = (directory: string): string[] =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })

const found = (directory: string, text: string): boolean =>
  filesIn(directory).some((path) => readFileSync(path).includes(text))

describe.each(['software', 'confidential'] as const)('a session over a real store in the %s lane', (lane) => {
  it('ends with a receipt whose hardware path follows, and leaves no input on the disk', async () => {
    const relay = await relayOnDisk(lane)
    const { keys, store } = relay.deps
    const { buyer, seller } = await submittedPair(relay, CONTRACT, [CANARY, FLOOR])
    const bundle = parseBundle(await buyer.bundle())
    expect(bundle.openings.output?.output).toMatchObject({ overlap: 'WIDE' })
    const complete = await withHardware(() => buyer.bundle())
    expect(complete.receipt).toEqual(bundle.receipt)
    expect(parseBundle(await seller.bundle()).receipt).toEqual(bundle.receipt)
    if (complete.hardware_path.binding === null) throw new Error('no hardware path')
    const leaf = receiptLeaf(receiptCore(complete.receipt))
    const expected = { keysetDigest: keys.keysetDigest, receiptKey: keys.receiptKey.publicKey }
    verifyBinding(lane, complete.hardware_path.binding, leaf, expected)
    expect(complete.hardware_path.binding.hardware === null).toBe(lane === 'software')
    await relay.sessions.close()
    await store.close()
    expect(found(relay.directory, '987654321')).toBe(false)
    // The control: what the software lane stores of a session, its operator can read.
    expect(found(relay.directory, 'TENS_OF_THOUSANDS')).toBe(lane === 'software')
  })

  it('takes many sessions of one owner at once, one debit each', async () => {
    const relay = await relayOnDisk(lane)
    const first = pairOf(relay)
    const runs = Array.from({ length: 8 }, async () => {
      const { buyer, seller } = pairOf(relay)
      const own = Object.assign(buyer, { tag: 'shared' })
      await submittedPair(relay, CONTRACT, undefined, { buyer: own, seller })
      return parseBundle(await own.bundle()).receipt
    })
    const receipts = await Promise.all(runs)
    expect(new Set(receipts.map(({ session_id }) => session_id)).size).toBe(8)
    const same = Array.from({ length: 4 }, async () => {
      const { seller } = pairOf(relay)
      const buyer = Object.assign(pairOf(relay).buyer, { key: first.buyer.key, did: first.buyer.did })
      await submittedPair(relay, CONTRACT, undefined, { buyer, seller })
      return parseBundle(await buyer.bundle()).openings.ledger[0]?.after?.after_millibits
    })
    const spent = (await Promise.all(same)).sort((a = 0, b = 0) => a - b)
    expect(spent).toEqual([1, 2, 3, 4].map((times) => times * 5286))
    await relay.sessions.close()
    await relay.deps.store.close()
  })

  it('whose store is closed under it answers relay_failed and nothing else', async () => {
    const relay = await relayOnDisk(lane)
    const { buyer } = await submittedPair(relay, CONTRACT)
    await relay.deps.store.close()
    buyer.refused(await buyer.cancel(), 'state_conflict')
    const other = pairOf(relay)
    other.buyer.refused(await other.buyer.create(CONTRACT, null), 'relay_failed', null)
    await relay.sessions.close()
  })
})

async function withHardware(fetch: () => Promise<object>): Promise<ReturnType<typeof parseBundle>> {
  for (;;) {
    const bundle = parseBundle((await fetch()) as Parameters<typeof parseBundle>[0])
    if (bundle.hardware_path.status === 'present') return bundle
  }
}
