import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Decision,
  EFFECT_STATES,
  type GateRecord,
  Gate,
  LiveEvents,
  type Outcome,
  RUN_STATES,
  Run,
} from '../../src/index.js'
import { grantFor, identity, request, setStage } from './stage.js'

const effectStates = Object.keys(EFFECT_STATES) as (keyof typeof EFFECT_STATES)[]

const facts = (effectId: string) => ({
  ...{ effect_id: effectId, effect_digest: 'd'.repeat(64), action: 'tool.invoke', resource: null },
  ...{ decision: null, rules: [], policy_bundle_hash: null },
})

/** A run with one effect in a state, reached by its shortest way. */
const WAYS = {
  requested: [],
  denied: ['denied'],
  approval_required: ['approval_required'],
  approved: ['approval_required', 'approved'],
  expired: ['approval_required', 'expired'],
  started: ['started'],
  completed: ['started', 'completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const

const runIn = async (state: keyof typeof WAYS) => {
  const stage = await setStage()
  for (const event of ['requested', ...WAYS[state]] as const)
    expect(await stage.run.advance({ event, facts: facts('e') })).toBe(true)
  return stage
}

const pairs = effectStates.flatMap((from) => effectStates.map((to) => ({ from, to })))

describe('the table of effects', () => {
  test.each(pairs)('UAR-18: decides whether $to follows $from', async ({ from, to }) => {
    const { run, records } = await runIn(from)
    const before = records.length
    const allowed = (EFFECT_STATES[from] as readonly string[]).includes(to)
    expect(await run.advance({ event: to, facts: facts('e') })).toBe(allowed)
    expect(records.length).toBe(before + (allowed ? 1 : 0))
  })

  test.each(effectStates.filter((state) => state !== 'requested'))(
    'an effect does not begin as %s',
    async (state) => {
      const { run, records } = await setStage()
      expect([await run.advance({ event: state, facts: facts('e') }), records.length]).toEqual([false, 1])
    },
  )
})

describe('a run', () => {
  test('UAR-18: that is completed must have no open effect', async () => {
    const { run } = await runIn('started')
    expect([await run.end('completed'), run.state]).toEqual([false, 'started'])
  })

  test.each(['failed', 'cancelled'] as const)('that is %s cancels what is open first', async (state) => {
    const { run, events } = await runIn('started')
    expect(await run.end(state)).toBe(true)
    expect(events().slice(-2)).toEqual(['effect.cancelled', `run.${state}`])
  })

  test.each(['completed', 'failed', 'cancelled'] as const)('UAR-17: has no event after %s', async (state) => {
    const { run, records } = await setStage()
    await run.end(state)
    const after = records.length
    for (const again of ['completed', 'failed', 'cancelled'] as const)
      expect(await run.end(again)).toBe(false)
    expect(await run.advance({ event: 'requested', facts: facts('e') })).toBe(false)
    expect([records.length, RUN_STATES[state]]).toEqual([after, []])
  })

  test('goes no further once a record could not be written', async () => {
    const { run, records } = await setStage({
      evidence: ({ event }) => {
        if (event === 'effect.requested') throw new Error('disk full')
      },
    })
    expect(await run.advance({ event: 'requested', facts: facts('e') })).toBe(false)
    expect([await run.end('failed'), run.state, records.length]).toEqual([false, 'unwritten', 1])
  })
})

describe('a run that is taken up again', () => {
  const resume = async (records: readonly GateRecord[]) => {
    const written: GateRecord[] = []
    const evidence = (record: GateRecord) => {
      written.push(record)
      return Promise.resolve()
    }
    const ports = { id: 'run-1', identify: () => identity, evidence, live: new LiveEvents() }
    return { run: await Run.resume(ports, records), written }
  }

  test.each(['requested', 'approved', 'started'] as const)('has failed what was %s', async (state) => {
    const { records } = await runIn(state)
    const { written } = await resume(records)
    expect(written).toMatchObject([{ event: 'effect.failed', fields: { reason: 'interrupted' } }])
    expect(written[0]?.fields.seq).toBe(records.length)
  })

  test.each(['approval_required', 'denied', 'expired', 'completed', 'failed', 'cancelled'] as const)(
    'leaves alone what was %s',
    async (state) => {
      const { records } = await runIn(state)
      const { run, written } = await resume(records)
      expect([written, run.effect('e')?.state]).toEqual([[], state])
    },
  )

  test.each([
    ['none', () => []],
    ['without the first', (records: GateRecord[]) => records.slice(1)],
    ['with a gap', (records: GateRecord[]) => records.filter((_, index) => index !== 1)],
    ['with one twice', (records: GateRecord[]) => [...records, ...records.slice(-1)]],
    [
      'that ended',
      (records: GateRecord[]) => [...records, { event: 'run.failed', fields: { run_id: 'run-1', seq: 3 } }],
    ],
    [
      'of another run',
      (records: GateRecord[]) => records.map((r) => ({ ...r, fields: { ...r.fields, run_id: 'x' } })),
    ],
    ['out of order', (records: GateRecord[]) => [...records].reverse()],
  ])('is refused with records %s', async (_, change) => {
    const { records } = await runIn('started')
    expect(records).toHaveLength(3)
    await expect(resume(change(records) as GateRecord[])).rejects.toMatchObject({ code: 'object_malformed' })
  })
})

type Plan = {
  readonly decision: Decision
  readonly answer: 'approve' | 'deny' | 'nothing'
  readonly works: boolean
  readonly cancel: boolean
}

const plan: fc.Arbitrary<Plan> = fc.record({
  decision: fc.constantFrom('allow', 'approval_required', 'deny'),
  answer: fc.constantFrom('approve', 'deny', 'nothing'),
  works: fc.boolean(),
  cancel: fc.boolean(),
})

const isEnd = (event: string): boolean => /\.(?:denied|expired|completed|failed|cancelled)$/.test(event)

/** Checks what must hold of any run, whatever met whatever when. */
const checkRecords = (records: readonly GateRecord[], outcomes: readonly Outcome[]): void => {
  expect(records.map(({ fields }) => fields.seq)).toEqual(records.map((_, index) => index))
  expect(records.findIndex(({ event }) => event.startsWith('run.') && isEnd(event))).toBe(records.length - 1)
  for (const outcome of outcomes) {
    const own = records.filter(
      ({ fields }) => 'effect_id' in fields && fields.effect_id === outcome.effect_id,
    )
    if (own.length === 0) {
      expect(outcome).toMatchObject({ kind: 'cancelled', reason: 'cancelled_before_start' })
      continue
    }
    expect(own.filter(({ event }) => isEnd(event))).toEqual(own.slice(-1))
    expect(own.at(-1)?.event).toBe(`effect.${outcome.kind}`)
  }
}

describe('whatever comes in whichever order', () => {
  test('UAR-18: numbers have no gap, each effect has one end, the run’s end is last, and outcomes tell it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(plan, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (s, plans, stop) => {
          const planOf = (question: { purpose: string }): Plan | undefined => plans[Number(question.purpose)]
          const worked: string[] = []
          let slow = false
          const stage = await setStage({
            decide: (question) => planOf(question)?.decision ?? 'deny',
            evidence: () => (slow ? s.schedule(Promise.resolve(), 'evidence') : undefined),
            execute: async ({ effect_id, arguments: { n } }) => {
              await s.schedule(Promise.resolve(), 'execute')
              if (plans[Number(n)]?.works !== true) throw new Error('fails')
              worked.push(effect_id)
              return null
            },
          })
          slow = true
          const asking = plans.map((_, n) =>
            stage.gate.request(stage.run, { ...request, purpose: String(n), arguments: { n } }),
          )
          const answering = plans.map(async ({ answer }, n) => {
            await s.schedule(Promise.resolve(), 'answer')
            const waiting = stage.approvals.list().find(({ effect }) => effect.purpose === String(n))
            if (waiting === undefined || answer === 'nothing') return
            if (answer === 'deny') stage.approvals.deny(waiting.effect_digest)
            else stage.approvals.approve(waiting.effect_digest, grantFor(waiting.effect_digest))
          })
          const cancelling = plans.map(async ({ cancel }, n) => {
            await s.schedule(Promise.resolve(), 'cancel')
            if (cancel) await stage.run.cancelEffect(`effect-${n + 1}`)
          })
          const stopping = s
            .schedule(Promise.resolve(), 'stop')
            .then(() => stop && stage.run.end('cancelled'))
          const all = Promise.all([...asking, ...answering, ...cancelling, stopping])
          let outcomes: Outcome[] | undefined
          const done = Promise.all(asking).then((found) => (outcomes = found))
          while (outcomes === undefined) {
            await s.waitIdle()
            stage.hands.move(300)
            await new Promise((resolve) => setImmediate(resolve))
          }
          await Promise.all([all, done])
          const ending = stage.run.end('cancelled')
          await s.waitIdle()
          await ending
          checkRecords(stage.records, outcomes)
          for (const outcome of outcomes)
            if (outcome.kind === 'completed') expect(worked).toContain(outcome.effect_id)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('UAR-18: a record that fails at any place leaves no completion untold and no effect unrecorded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.array(plan, { minLength: 1, maxLength: 3 }), async (failing, plans) => {
        let written = 0
        let effects = 0
        const started = new Set<string>()
        const stage = await setStage({
          decide: 'allow',
          evidence: (record) => {
            if (written++ === failing) throw new Error('disk full')
            if (record.event === 'effect.started' && 'effect_id' in record.fields)
              started.add(record.fields.effect_id)
          },
          execute: ({ effect_id }) => {
            effects += 1
            expect(started).toContain(effect_id)
            return Promise.resolve(null)
          },
        })
        const outcomes = await Promise.all(plans.map(() => new Gate(stage.ports).request(stage.run, request)))
        const told = outcomes.filter(({ kind }) => kind === 'completed').length
        expect(told).toBe(stage.events().filter((event) => event === 'effect.completed').length)
        expect(effects).toBe(started.size)
      }),
      { numRuns: 100 },
    )
  })
})
