import { admitContract, NO_REGISTRY, parseGuardianPolicy } from '@parley/guardian'
import { canonicalBytes, type Contract, hash, type JsonValue } from '@parley/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.js'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { openEvaluator } from '../../src/evaluator/open-evaluator.js'
import { type EvaluationJob, evaluate } from '../../src/release/release.js'
import { CONTRACT, POLICY } from '../session/test-relay.js'
import { TRICKY } from '../session/tricky-contract.js'

const opened = async (clock: Clock = systemClock()): Promise<Evaluator> => {
  const evaluator = await openEvaluator(clock)
  onTestFinished(() => evaluator.close())
  return evaluator
}

const jobOf = (contract: Contract, initiator: JsonValue, responder: JsonValue): EvaluationJob => {
  const admission = admitContract({
    contract,
    policy: parseGuardianPolicy(POLICY),
    registry: NO_REGISTRY,
    evaluators: ['cel'],
  })
  if (!admission.ok) throw new Error(`${admission.code} at ${admission.pointer}`)
  const { output, policy } = admission.admitted
  const contractBytes = canonicalBytes(contract)
  return {
    contractBytes,
    output,
    policy,
    inputs: [canonicalBytes(initiator), canonicalBytes(responder)],
  }
}

const tricky = (n: number): EvaluationJob => jobOf(TRICKY, { n }, { n: 0 })

/** Spends the highest cost limit that a contract may have. */
const dearest = (): EvaluationJob => {
  const source = 'initiator.all(x, initiator.all(y, initiator.all(z, true))) ? 1 : 2'
  const program = { language: 'cel' as const, source, cost_limit: 100_000 }
  const list = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 }, maxItems: 1000 }
  const contract = { ...CONTRACT, program, program_hash: hash(program) }
  return jobOf(
    { ...contract, input_schemas: { initiator: list, responder: list } },
    Array<number>(1000).fill(0),
    [],
  )
}

/** A clock on which the times asked for come at once, or never. */
const switched = (): Clock & { late: boolean } => {
  const clock = {
    ...systemClock(),
    late: false,
    sleepUntil: () => (clock.late ? Promise.resolve() : new Promise<void>(() => undefined)),
  }
  return clock
}

const failed = expect.objectContaining({ code: 'evaluator_failed' }) as Error

describe('a thread of its own', () => {
  it('releases what an evaluation in place releases: words, refused drafts, faults, a spent cost', async () => {
    const evaluator = await opened()
    const jobs = [tricky(0), tricky(1), tricky(2), tricky(3), dearest()]
    const releases = await Promise.all(jobs.map((job) => evaluator.evaluate(job)))
    expect(releases).toEqual(jobs.map((job) => evaluate(job)))
    expect(releases.map(({ outcome }) => outcome.abort_class)).toEqual([
      null,
      null,
      'OUTPUT_REFUSED',
      'EVALUATION_FAILED',
      'EVALUATION_FAILED',
    ])
  })

  it('leaves the relay to answer requests while the dearest program runs', async () => {
    const evaluator = await opened()
    const state = { turns: 0, done: false }
    const evaluated = evaluator.evaluate(dearest()).finally(() => (state.done = true))
    while (!state.done) {
      await new Promise((resolve) => setImmediate(resolve))
      state.turns += 1
    }
    await evaluated
    expect(state.turns).toBeGreaterThan(2)
  })

  it('that does not answer is ended, its job fails, and the next job has a new one', async () => {
    const clock = switched()
    const evaluator = await opened(clock)
    clock.late = true
    await expect(evaluator.evaluate(dearest())).rejects.toEqual(failed)
    clock.late = false
    expect(await evaluator.evaluate(tricky(0))).toEqual(evaluate(tricky(0)))
  })

  it('that ends fails the job that it is at, and those that wait', async () => {
    const evaluator = await opened()
    const jobs = [evaluator.evaluate(dearest()), evaluator.evaluate(tricky(0))]
    const outcomes = Promise.allSettled(jobs)
    await new Promise((resolve) => setImmediate(resolve))
    await evaluator.close()
    expect(await outcomes).toEqual(jobs.map(() => ({ status: 'rejected', reason: failed })))
    await expect(evaluator.evaluate(tricky(0))).rejects.toEqual(failed)
  })
})
