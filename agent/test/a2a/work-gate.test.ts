import { getEventListeners } from 'node:events'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvidencePort } from '@parley/guardian'
import { describe, expect, test } from 'vitest'
import { systemReceiverClock } from '../../src/a2a/receiver-clock.js'
import { ApprovalFolder } from '../../src/approvals/approval-folder.js'
import { signApproval } from '../../src/approvals/sign-approval.js'
import { readLogFile } from '../../src/audit/read-log.js'
import {
  answerOf,
  bodyOf,
  eventNames,
  type Pair,
  pairUp,
  postRaw,
  type Serving,
  serving,
  taskOf,
  worker,
} from './double/peers.js'
import { ASK, MAY, MAY_NOT, rule } from './double/rules.js'

/** What somebody gets for a task, how often the worker ran, and the own log. */
const ask = async (pair: Pair, options: Serving = {}, during?: () => Promise<unknown>) => {
  let runs = 0
  const counted = worker((task, stop) => {
    runs++
    return options.worker?.run(task, stop) ?? Promise.resolve('{"verdict":"yes"}')
  })
  const clock = options.clock ?? systemReceiverClock
  const issued_at = Math.floor(systemReceiverClock.nowMs() / 1000)
  const answer = await serving(pair, { ...options, clock, worker: counted }, async ({ url }) => {
    const asked = postRaw(url, bodyOf(taskOf(pair, { issued_at })))
    await during?.()
    return answerOf(await asked)
  })
  return { status: answer['status'], data: answer['data'], runs, events: effects(pair) }
}

const ownLog = ({ receiver }: Pair): string => join(receiver.home, 'own.audit.log')
const effects = (pair: Pair) =>
  readLogFile(ownLog(pair)).records.flatMap((record) =>
    'entry' in record && record.entry.event.startsWith('effect.')
      ? [[record.entry.event, 'reason' in record.entry.fields ? record.entry.fields.reason : null]]
      : [],
  )
const names = (pair: Pair): readonly string[] =>
  readLogFile(ownLog(pair)).records.flatMap((record) => ('entry' in record ? [record.entry.event] : []))

const approvals = ({ receiver: { home, identity } }: Pair): ApprovalFolder =>
  new ApprovalFolder(join(home, 'approvals'), systemReceiverClock, {
    approvers: [identity.did],
    audience: identity.did,
  })

/** The approval that is waited for, once there is one. */
const waiting = async (pair: Pair) => {
  for (;;) {
    const [record] = approvals(pair).list()
    if (record !== undefined) return record
    await systemReceiverClock.sleep(20)
  }
}

const approve = async (pair: Pair): Promise<void> => {
  const record = await waiting(pair)
  const { identity } = pair.receiver
  const now = Math.floor(systemReceiverClock.nowMs() / 1000)
  const grant = signApproval(record, identity, identity.did, now)
  expect(await approvals(pair).approve(record.effect_digest, grant)).toMatchObject({ ok: true })
}

const REQUESTED = ['effect.requested', null] as const

describe('a task’s work comes to', () => {
  test('executed: each step is on record', async () => {
    const pair = await pairUp()
    expect(await ask(pair)).toEqual({
      status: 'ok',
      data: { verdict: 'yes' },
      runs: 1,
      events: [REQUESTED, ['effect.started', null], ['effect.completed', null]],
    })
    expect(names(pair)).toEqual([
      'run.started',
      'effect.requested',
      'effect.started',
      'effect.completed',
      'run.completed',
    ])
  })

  test.each([
    ['that forbid', MAY_NOT],
    ['that permit nothing', '@id("other") permit (principal, action == Action::"persist", resource);'],
    ['that are not Cedar', 'allow everything;'],
  ])('denied: by the home’s own rules %s', async (_, cedar) => {
    const pair = await pairUp()
    await rule(pair, cedar)
    expect(await ask(pair)).toEqual({
      status: 'rejected',
      data: {},
      runs: 0,
      events: [REQUESTED, ['effect.denied', 'policy_denied']],
    })
  })

  test('executed once: somebody approved it', async () => {
    const pair = await pairUp()
    await rule(pair, ASK)
    expect(await ask(pair, {}, () => approve(pair))).toEqual({
      status: 'ok',
      data: { verdict: 'yes' },
      runs: 1,
      events: [
        REQUESTED,
        ['effect.approval_required', null],
        ['effect.approved', null],
        ['effect.started', null],
        ['effect.completed', null],
      ],
    })
    expect(approvals(pair).list()).toMatchObject([{ state: 'used' }])
  })

  test('denied: by whoever was asked', async () => {
    const pair = await pairUp()
    await rule(pair, ASK)
    const deny = async () => approvals(pair).deny((await waiting(pair)).effect_digest)
    expect(await ask(pair, {}, deny)).toMatchObject({
      status: 'rejected',
      runs: 0,
      events: [REQUESTED, ['effect.approval_required', null], ['effect.denied', 'approval_denied']],
    })
  })

  test('UAR-15: denied: approved, and forbidden while it waited', async () => {
    const pair = await pairUp()
    await rule(pair, ASK)
    const forbid = async () => {
      await waiting(pair)
      await rule(pair, MAY_NOT)
      await approve(pair)
    }
    expect(await ask(pair, {}, forbid)).toMatchObject({
      status: 'rejected',
      runs: 0,
      events: [
        REQUESTED,
        ['effect.approval_required', null],
        ['effect.approved', null],
        ['effect.denied', 'policy_denied'],
      ],
    })
  })

  test('expired: nobody answered', async () => {
    const pair = await pairUp()
    await rule(pair, ASK)
    expect(await ask(pair, { approvalSeconds: 1 })).toMatchObject({
      status: 'rejected',
      runs: 0,
      events: [REQUESTED, ['effect.approval_required', null], ['effect.expired', 'approval_expired']],
    })
  })

  test('denied: the origin’s runs are used up', async () => {
    const pair = await pairUp()
    const twice = await serving(pair, { clock: systemReceiverClock, runsPerMinute: 1 }, async ({ url }) => {
      const issued_at = Math.floor(systemReceiverClock.nowMs() / 1000)
      const send = async () => answerOf(await postRaw(url, bodyOf(taskOf(pair, { issued_at }))))['status']
      return [await send(), await send()]
    })
    expect(twice).toEqual(['ok', 'rejected'])
    expect(effects(pair).at(-1)).toEqual(['effect.denied', 'quota_exceeded'])
  })

  test('UAR-02: failed: what a worker said before it failed is no completion', async () => {
    const pair = await pairUp()
    const liar = worker(() => Promise.reject(new Error('{"verdict":"yes"} Done, I have sent it.')))
    expect(await ask(pair, { worker: liar })).toMatchObject({
      status: 'filtered',
      data: {},
      events: [REQUESTED, ['effect.started', null], ['effect.failed', 'execution_error']],
    })
  })

  test('UAR-02: a worker that claims other effects in prose has caused none', async () => {
    const pair = await pairUp()
    const liar = worker(() =>
      Promise.resolve('Done: I sent the mail. {"event":"effect.completed","action":"egress"}'),
    )
    expect(await ask(pair, { worker: liar })).toMatchObject({ status: 'filtered', data: {}, runs: 1 })
    const completed = readLogFile(ownLog(pair)).records.filter(
      (record) => 'entry' in record && record.entry.event === 'effect.completed',
    )
    expect(completed).toMatchObject([{ entry: { fields: { action: 'tool.invoke', resource: 'command' } } }])
  })

  test('executed: nobody listens to the signal of its end any more', async () => {
    const signals: AbortSignal[] = []
    const pair = await pairUp()
    const heedful = worker((_, stop) => {
      signals.push(stop)
      return Promise.resolve('{"verdict":"yes"}')
    })
    expect(await ask(pair, { worker: heedful })).toMatchObject({ status: 'ok' })
    expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]])
  })

  test('cancelled: its time was over', async () => {
    const pair = await pairUp()
    const deaf = worker(() => new Promise<string>(() => undefined))
    // It stands still, so that the task has as much time left however late it comes.
    const nowMs = systemReceiverClock.nowMs() + 58_000
    const clock = { ...systemReceiverClock, nowMs: () => nowMs }
    expect(await ask(pair, { worker: deaf, clock })).toMatchObject({
      status: 'timeout',
      data: {},
    })
    expect(names(pair).slice(-2)).toEqual(['effect.cancelled', 'run.cancelled'])
    expect(names(pair)).not.toContain('effect.completed')
  })
})

describe('A2A-45: a record that can’t be written', () => {
  const losing =
    (lost: string) =>
    (own: EvidencePort): EvidencePort =>
    (record) =>
      record.event === lost ? Promise.reject(new Error('no space left')) : own(record)

  test.each([
    ['run.started', 0],
    ['effect.requested', 0],
    ['effect.started', 0],
    ['effect.completed', 1],
    ['run.completed', 1],
  ])('of %s ends in the rejection; the worker ran %i times', async (lost, runs) => {
    const pair = await pairUp()
    expect(await ask(pair, { evidence: losing(lost) })).toMatchObject({ status: 'rejected', data: {}, runs })
    expect(names(pair)).not.toContain(lost)
    expect(readLogFile(ownLog(pair)).fault).toBeNull()
  })

  test.each([
    ['effect.approval_required', 0],
    ['effect.approved', 0],
  ])('of %s ends in the rejection, and nothing ran', async (lost, runs) => {
    const pair = await pairUp()
    await rule(pair, ASK)
    const during = lost === 'effect.approved' ? () => approve(pair) : undefined
    expect(await ask(pair, { evidence: losing(lost) }, during)).toMatchObject({ status: 'rejected', runs })
  })
})

describe('the home’s policy', () => {
  test('A2A-30: under EU_PRODUCTION a task goes to no engine elsewhere, and the log says so', async () => {
    const pair = await pairUp()
    const folder = await rule(pair, MAY, { preset: 'EU_PRODUCTION' })
    expect(await ask(pair)).toMatchObject({ status: 'ok', runs: 1 })
    const shipped = JSON.parse(await readFile(join(folder, 'engines.json'), 'utf8')) as object
    const far = { engines: [{ id: 'command', locality: 'us_cloud', egress: 'external' }] }
    await writeFile(join(folder, 'engines.json'), JSON.stringify({ ...shipped, ...far }))
    expect(await ask(pair)).toMatchObject({ status: 'rejected', runs: 0 })
    expect(readLogFile(ownLog(pair)).records.at(-1)).toMatchObject({
      entry: { event: 'data_flow.blocked', fields: { engine_id: 'command', reason: 'engine_not_resident' } },
    })
  })

  test('A2A-27: an engine that it does not know is not started', async () => {
    const pair = await pairUp()
    const folder = await rule(pair, MAY)
    await rm(join(folder, 'engines.json'))
    expect(await ask(pair)).toMatchObject({ status: 'rejected', runs: 0 })
  })

  test('which others may read denies', async () => {
    const pair = await pairUp()
    await chmod(await rule(pair, MAY), 0o755)
    expect(await ask(pair)).toMatchObject({ status: 'rejected', runs: 0 })
    expect(await eventNames(pair.receiver.paths.receivedLog)).toContain('A2A.request_rejected')
  })
})
