import { describe, expect, test } from 'vitest'
import { join } from 'node:path'
import { systemReceiverClock } from '../../src/a2a/receiver-clock.js'
import { readLogFile } from '../../src/audit/read-log.js'
import { type Pair, pairUp, serving } from './double/peers.js'
import { ASK, rule } from './double/rules.js'
import { asked, effectsOf, serveOnce } from './double/serve-once.js'

const recordsOf = ({ receiver }: Pair) => {
  const { records, fault } = readLogFile(join(receiver.home, 'own.audit.log'))
  expect(fault).toBeNull()
  return records.flatMap((record) =>
    'entry' in record && 'run_id' in record.entry.fields
      ? [[record.entry.event, 'reason' in record.entry.fields ? record.entry.fields.reason : null] as const]
      : [],
  )
}
const restart = (pair: Pair) => serving(pair, { clock: systemReceiverClock }, () => Promise.resolve())

const INTERRUPTED = [
  ['effect.failed', 'interrupted'],
  ['run.cancelled', null],
]

describe('A2A-45, UAR-18: a receiver that is killed in the effect gate', { timeout: 600_000 }, () => {
  test.each([
    ['run.started', ['run.started'], 0, [['run.cancelled', null]]],
    ['effect.requested', ['run.started', 'effect.requested'], 0, INTERRUPTED],
    ['effect.started', ['run.started', 'effect.requested', 'effect.started'], 0, INTERRUPTED],
    ['worker', ['run.started', 'effect.requested', 'effect.started'], 1, INTERRUPTED],
    [
      'effect.completed',
      ['run.started', 'effect.requested', 'effect.started', 'effect.completed'],
      1,
      [['run.cancelled', null]],
    ],
    [
      'run.completed',
      ['run.started', 'effect.requested', 'effect.started', 'effect.completed', 'run.completed'],
      1,
      [],
    ],
  ])(
    'at %s did nothing without its record, and the next one ends the run',
    async (moment, before, ran, after) => {
      const pair = await pairUp()
      expect(await serveOnce(pair, moment, asked(pair))).toBe('')
      expect(recordsOf(pair).map(([event]) => event)).toEqual(before)
      expect(await effectsOf(pair)).toHaveLength(ran)
      await restart(pair)
      expect(recordsOf(pair).slice(before.length)).toEqual(after)
      expect(await effectsOf(pair)).toHaveLength(ran)
      // What is settled stays so.
      const settled = recordsOf(pair)
      await restart(pair)
      expect(recordsOf(pair)).toEqual(settled)
    },
  )

  test('where it waits for an approval, the next one waits no longer', async () => {
    const pair = await pairUp()
    await rule(pair, ASK)
    expect(await serveOnce(pair, 'effect.approval_required', asked(pair))).toBe('')
    await restart(pair)
    expect(recordsOf(pair).slice(-2)).toEqual([
      ['effect.cancelled', 'cancelled_before_start'],
      ['run.cancelled', null],
    ])
    expect(await effectsOf(pair)).toEqual([])
  })
})
