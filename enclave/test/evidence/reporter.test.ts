import { AttestationError } from '@parley/attestation'
import { verifyBinding } from '@parley/protocol'
import { expect, test } from 'vitest'
import { createReporter } from '../../src/evidence/reporter.js'
import type { LogEvent } from '../../src/log.js'
import { fresh, testKeys } from '../boot.js'
import { countingCollector, testChip } from '../chip.js'
import { fakeClock } from '../fake-clock.js'

const WINDOW_MS = 50

async function confidential(failures = 0) {
  const chip = await testChip()
  const keys = testKeys('confidential')
  let left = failures
  const collector = countingCollector((data) =>
    left-- > 0
      ? Promise.reject(new AttestationError('collector_busy', 'busy'))
      : chip.collector.collect(data),
  )
  const clock = fakeClock()
  const logged: LogEvent[] = []
  const log = (event: LogEvent): void => void logged.push(event)
  const binder = { lane: 'confidential' as const, ...keys, collector, random: fresh }
  return { keys, collector, clock, logged, reporter: createReporter(binder, WINDOW_MS, clock, log) }
}

test('whoever asks within the window shares one report', async () => {
  const { keys, collector, clock, reporter } = await confidential()
  const leaves = [fresh(32), fresh(32), fresh(32)]
  const early = leaves.slice(0, 2).map((leaf) => reporter.bind(leaf))
  await clock.advance(WINDOW_MS - 1)
  expect(collector.asked).toHaveLength(0)
  const asked = [...early, ...leaves.slice(2).map((leaf) => reporter.bind(leaf))]
  await clock.advance(1)
  const bindings = await Promise.all(asked)
  expect(collector.asked).toHaveLength(1)
  const expected = { keysetDigest: keys.keysetDigest, receiptKey: keys.receiptKey.publicKey }
  bindings.forEach((binding, index) => {
    verifyBinding('confidential', binding, leaves[index] ?? fresh(32), expected)
    expect(binding.tree_size).toBe(4)
  })
})

test('there is one report at a time, and the next waits a window of its own', async () => {
  const chip = await testChip()
  const { keys, clock } = await confidential()
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const collector = countingCollector(async (data) => {
    await gate
    return chip.collector.collect(data)
  })
  const reporter = createReporter(
    { lane: 'confidential', ...keys, collector, random: fresh },
    WINDOW_MS,
    clock,
    () => undefined,
  )
  const first = reporter.bind(fresh(32))
  await clock.advance(WINDOW_MS)
  const later = [reporter.bind(fresh(32)), reporter.bind(fresh(32))]
  await clock.advance(10 * WINDOW_MS)
  expect(collector.asked).toHaveLength(1)
  release()
  await first
  await clock.advance(WINDOW_MS - 1)
  expect(collector.asked).toHaveLength(1)
  await clock.advance(1)
  await Promise.all(later)
  expect(collector.asked).toHaveLength(2)
})

test('a failed report fails everyone who shared it with a closed code, and nobody after them', async () => {
  const { clock, logged, reporter } = await confidential(1)
  const asked = Promise.allSettled([reporter.bind(fresh(32)), reporter.bind(fresh(32))])
  await clock.advance(WINDOW_MS)
  for (const outcome of await asked) expect(outcome).toMatchObject({ reason: { code: 'report_failed' } })
  expect(logged).toEqual([{ event: 'report_failed', code: 'report_failed' }])
  const later = reporter.bind(fresh(32))
  await clock.advance(WINDOW_MS)
  expect((await later).hardware).not.toBeNull()
})

test('a leaf that is no hash fails as report_failed', async () => {
  const { clock, reporter } = await confidential()
  const asked = expect(reporter.bind(fresh(31))).rejects.toMatchObject({ code: 'report_failed' })
  await clock.advance(WINDOW_MS)
  await asked
})

test('the software lane has the same tree and possession, and no hardware', async () => {
  const keys = testKeys()
  const clock = fakeClock()
  const binder = { lane: 'software' as const, ...keys, collector: null, random: fresh }
  const reporter = createReporter(binder, WINDOW_MS, clock, () => undefined)
  const leaf = fresh(32)
  const asked = reporter.bind(leaf)
  await clock.advance(WINDOW_MS)
  const binding = await asked
  expect(binding.hardware).toBeNull()
  verifyBinding('software', binding, leaf, {
    keysetDigest: keys.keysetDigest,
    receiptKey: keys.receiptKey.publicKey,
  })
})
