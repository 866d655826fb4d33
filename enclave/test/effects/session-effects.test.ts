import type { Policy, PolicyAnswer, PolicyQuestion } from '@parley/guardian'
import { type Bundle, parseBundle } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { RelayError } from '../../src/relay-error.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { modelContract, NEAR, REGISTRY, said, scripted } from '../session/model-contract.js'
import { submittedPair } from '../session/participant.js'
import { CONTRACT, LIMITS, type RelayOptions, type TestRelay, testRelay } from '../session/test-relay.js'

const ALLOW: PolicyAnswer = { decision: 'allow', rules: ['all'] }

/** A policy that answers as it is told once the inputs are there, and lets everything before. */
const turning = (later: (question: PolicyQuestion) => PolicyAnswer) => {
  const asked: PolicyQuestion[] = []
  const state = { hasTurned: false }
  const decide = (question: PolicyQuestion): PolicyAnswer => {
    if (!state.hasTurned) return ALLOW
    asked.push(question)
    return later(question)
  }
  const policy: Policy = { bundleHash: 'b1'.repeat(32), decide }
  return { policy, asked, state }
}

const saying =
  (action: string, decision: PolicyAnswer['decision']) =>
  (question: PolicyQuestion): PolicyAnswer =>
    question.action === action ? { decision, rules: ['no'] } : ALLOW

const counting = () => {
  const calls: TestRelay['audit']['events'][] = []
  const of = (relay: () => TestRelay): Evaluator => ({
    ...inProcessEvaluator,
    evaluate: (job) => {
      calls.push([...relay().audit.events])
      return inProcessEvaluator.evaluate(job)
    },
  })
  return { calls, of }
}

const staged = (later: (question: PolicyQuestion) => PolicyAnswer, options: RelayOptions = {}) => {
  const { policy, asked, state } = turning(later)
  const { calls, of } = counting()
  const relay: TestRelay = testRelay({ evaluator: of(() => relay), effectPolicy: policy, ...options })
  return { relay, asked, state, calls }
}

type Staged = ReturnType<typeof staged>

const played = async ({ relay, state }: Staged, contract = CONTRACT): Promise<Bundle> => {
  const { buyer } = await submittedPair(relay, contract)
  state.hasTurned = true
  return parseBundle(await buyer.bundle())
}

const statesOf = ({ relay }: Staged, action: string): readonly string[] =>
  relay.audit.events.flatMap(({ event, fields }) =>
    event.startsWith('effect.') && 'action' in fields && fields.action === action ? [event.slice(7)] : [],
  )

describe('the effects of a session', () => {
  it('UAR-24: are decided by the policy, each by its own action and resource, for the session of that contract', async () => {
    const stage = staged(() => ALLOW)
    const { receipt } = await played(stage)
    const contract = receipt.contract_hash
    expect(stage.asked.map(({ action, resource }) => [action, resource.type, resource.id])).toEqual([
      ['infer', 'Provider', 'cel'],
      ['release', 'Contract', contract],
    ])
    const principal = { type: 'Session', id: contract, attributes: { contract, profile: 'software' } }
    expect(stage.asked).toMatchObject([{ principal }, { principal, recipients: CONTRACT.participants }])
  })

  it('UAR-03: are in the log before they happen, and done in it only after', async () => {
    const stage = staged(() => ALLOW)
    await played(stage)
    expect(stage.calls.map((events) => events.at(-1)?.event)).toEqual(['effect.started'])
    for (const action of ['infer', 'release'])
      expect(statesOf(stage, action)).toEqual(['requested', 'started', 'completed'])
    const names = stage.relay.audit.events.map(({ event }) => event)
    expect(names.lastIndexOf('effect.started')).toBeLessThan(names.indexOf('session.ended'))
    expect(names.indexOf('session.ended')).toBeLessThan(names.lastIndexOf('effect.completed'))
  })

  it('UAR-18: are one run, named as the session is and numbered without gaps', async () => {
    const stage = staged(() => ALLOW)
    const { receipt } = await played(stage)
    const fields = stage.relay.audit.events.flatMap(({ fields }) => ('run_id' in fields ? [fields] : []))
    expect(fields.map(({ seq }) => seq)).toEqual(fields.map((_, at) => at))
    expect(new Set(fields.map(({ run_id }) => run_id))).toEqual(new Set([receipt.session_id]))
  })
})

describe('an effect that the policy denies', () => {
  it.each([
    ['infer', 'deny', 'EVALUATION_FAILED', 0],
    ['infer', 'approval_required', 'EVALUATION_FAILED', 0],
    ['release', 'deny', 'OUTPUT_REFUSED', 1],
    ['release', 'approval_required', 'OUTPUT_REFUSED', 1],
  ] as const)(
    'UAR-12: %s: %s ends the session as %s, with a receipt',
    async (action, decision, cause, runs) => {
      const stage = staged(saying(action, decision))
      const { receipt, openings } = await played(stage)
      expect(receipt.outcome).toEqual({ status: 'ABORTED', abort_class: cause })
      expect(openings.output?.output).toBeNull()
      expect(stage.calls).toHaveLength(runs)
      expect(statesOf(stage, action)).not.toContain('started')
      expect(statesOf(stage, action).at(-1)).toBe('denied')
    },
  )

  it('UAR-08: is one on which the policy fails, too', async () => {
    const stage = staged(() => {
      throw new Error('the rules are broken')
    })
    expect((await played(stage)).receipt.outcome.abort_class).toBe('OUTPUT_REFUSED')
    expect(stage.calls).toHaveLength(0)
    const rules = stage.relay.audit.events.flatMap(({ fields }) => ('rules' in fields ? [fields.rules] : []))
    expect(rules).toContainEqual(['policy_failed'])
  })

  it('UAR-12: egress asks no provider, and ends the session as PROVIDER_FAILED', async () => {
    const { models, asked } = scripted('openai', () => said(NEAR))
    const stage = staged(saying('egress', 'deny'), { models, registry: REGISTRY })
    const { receipt } = await played(stage, modelContract('openai'))
    expect(receipt.outcome.abort_class).toBe('PROVIDER_FAILED')
    expect(asked).toEqual([])
    expect(statesOf(stage, 'egress')).toEqual(['requested', 'denied'])
  })
})

describe('an evaluation that fails', () => {
  it('is in the log as failed, and so is the run of its session', async () => {
    const evaluate = () => Promise.reject(new RelayError('evaluator_failed', 'the thread has ended'))
    const stage = staged(() => ALLOW, { evaluator: { ...inProcessEvaluator, evaluate } })
    const { buyer } = await submittedPair(stage.relay, CONTRACT)
    await stage.relay.clock.advance(LIMITS.release_slot_ms)
    buyer.refused(await buyer.result(), 'session_unknown')
    expect(statesOf(stage, 'infer')).toEqual(['requested', 'started', 'failed'])
    expect(stage.relay.audit.events.at(-1)?.event).toBe('run.failed')
  })
})

describe('a provider that is asked', () => {
  it('is asked once the start of that is in the log', async () => {
    const seen: (string | undefined)[] = []
    const { models } = scripted('openai', () => {
      seen.push(...stage.relay.audit.events.slice(-2).map(({ event }) => event))
      return said(NEAR)
    })
    const stage: Staged = staged(() => ALLOW, { models, registry: REGISTRY })
    expect((await played(stage, modelContract('openai'))).receipt.outcome.status).toBe('COMPLETED')
    expect(seen).toEqual(['effect.requested', 'effect.started'])
    expect(stage.asked.map(({ action, resource }) => [action, resource.id])).toEqual([
      ['infer', 'openai'],
      ['egress', 'openai.example.org'],
      ['release', stage.asked[2]?.resource.id],
    ])
  })
})

describe('a log that cannot take the start of an effect', () => {
  it('stops the evaluation, which is made once when the log can take it again', async () => {
    const stage = staged(() => ALLOW)
    const { relay, calls } = stage
    const { buyer } = await submittedPair(relay, CONTRACT)
    relay.disk.failures = 1
    await relay.clock.advance(LIMITS.release_slot_ms)
    expect(calls).toEqual([])
    expect(statesOf(stage, 'infer')).toEqual([])
    buyer.refused(await buyer.result(), 'relay_failed', null)
    await relay.clock.advance(LIMITS.release_slot_ms)
    expect(parseBundle(await buyer.bundle()).receipt.outcome.status).toBe('COMPLETED')
    expect(calls).toHaveLength(1)
    expect(statesOf(stage, 'infer')).toContain('completed')
  })

  it('stops the release, and the next attempt is a run of its own that evaluates nothing', async () => {
    const stage = staged(() => ALLOW)
    const { relay, calls } = stage
    const { buyer } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(LIMITS.tick_ms)
    expect(calls).toHaveLength(1)
    relay.disk.failures = 1
    await relay.clock.advance(LIMITS.release_slot_ms / 2)
    const names = (): readonly string[] => relay.audit.events.map(({ event }) => event)
    expect(names()).not.toContain('session.ended')
    expect(statesOf(stage, 'release')).toEqual([])
    await relay.clock.advance(LIMITS.release_slot_ms)
    const { receipt } = parseBundle(await buyer.bundle())
    expect(receipt.outcome.status).toBe('COMPLETED')
    expect(calls).toHaveLength(1)
    expect(names().filter((name) => name === 'session.ended')).toHaveLength(1)
    const runs = relay.audit.events.flatMap(({ fields }) => ('run_id' in fields ? [fields.run_id] : []))
    expect(new Set(runs)).toEqual(new Set([receipt.session_id, `${receipt.session_id}.1`]))
  })

  it('for as long as the session may last leaves nothing: no evaluation, no output, no entry', async () => {
    const stage = staged(() => ALLOW)
    const { relay, calls } = stage
    const { buyer } = await submittedPair(relay, { ...CONTRACT, session_ttl_secs: 5 })
    relay.disk.failures = Infinity
    await relay.clock.advance(8 * LIMITS.release_slot_ms)
    expect(calls).toEqual([])
    buyer.refused(await buyer.result(), 'session_unknown')
    expect(relay.audit.events.at(-1)?.event).toBe('input.accepted')
  })
})
