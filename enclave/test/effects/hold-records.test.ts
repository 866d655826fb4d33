import type { GateRecord } from '@parley/guardian'
import { expect, it } from 'vitest'
import type { AuditEvent, AuditLog } from '../../src/audit/audit-log.js'
import { holdRecords } from '../../src/effects/hold-records.js'
import { testRelay } from '../session/test-relay.js'

const run = (event: 'run.started' | 'run.completed', seq: number): GateRecord => ({
  event,
  fields: { run_id: 'r', seq },
})
const effect = (state: 'requested' | 'started' | 'completed' | 'denied', seq: number): GateRecord => ({
  event: `effect.${state}`,
  fields: {
    ...{ run_id: 'r', seq, effect_id: 'e', effect_digest: 'aa'.repeat(32), action: 'infer', resource: 'cel' },
    ...{ decision: 'allow', rules: [], policy_bundle_hash: null, reason: null },
  },
})

const stage = () => {
  const { audit: real } = testRelay()
  const written: string[] = []
  const log = { isFull: false }
  const append = (event: AuditEvent): ReturnType<AuditLog['append']> => {
    if (log.isFull) return Promise.reject(new Error('no space left on device'))
    written.push(event.event)
    return real.append(event)
  }
  return { written, log, put: holdRecords({ append }) }
}
it('what nothing waits for is held until the start of an effect, and then stands before it', async () => {
  const { written, put } = stage()
  await put(run('run.started', 0))
  await put(effect('requested', 1))
  expect(written).toEqual([])
  await put(effect('started', 2))
  expect(written).toEqual(['run.started', 'effect.requested', 'effect.started'])
  await put(effect('completed', 3))
  expect(written).toHaveLength(3)
  await put(run('run.completed', 4))
  expect(written.slice(3)).toEqual(['effect.completed', 'run.completed'])
})

it('a denial is written at once', async () => {
  const { written, put } = stage()
  await put(effect('requested', 0))
  await put(effect('denied', 1))
  expect(written).toEqual(['effect.requested', 'effect.denied'])
})

it('where a start cannot be written, that is told, it never was, and what came before it is kept', async () => {
  const { written, log, put } = stage()
  await put(effect('completed', 0))
  log.isFull = true
  await expect(put(effect('started', 1))).rejects.toThrow('no space left')
  log.isFull = false
  await put(run('run.completed', 2))
  expect(written).toEqual(['effect.completed', 'run.completed'])
})

it('where a part of what was held is in the log all the same, the rest is kept, and nothing stands there twice', async () => {
  const written: string[] = []
  const log = { refused: 'effect.completed' }
  const { audit } = testRelay()
  const append: AuditLog['append'] = (event) => {
    if (event.event === log.refused) return Promise.reject(new Error('no space left on device'))
    written.push(event.event)
    return audit.append(event)
  }
  const put = holdRecords({ append })
  await put(run('run.started', 0))
  await put(effect('completed', 1))
  await expect(put(effect('started', 2))).rejects.toThrow('no space left')
  log.refused = ''
  await put(run('run.completed', 3))
  expect(written).toEqual(['run.started', 'effect.started', 'effect.completed', 'run.completed'])
})
