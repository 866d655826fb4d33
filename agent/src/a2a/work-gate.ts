import { randomUUID } from 'node:crypto'
import {
  type AdmittedTask,
  type ApprovalPort,
  CapabilityRegistry,
  type EffectRequest,
  type EvidencePort,
  Gate,
  type Identity,
  LiveEvents,
  type Outcome,
  type Policy,
  Run,
  SecretVault,
  TokenBuckets,
} from '@parley/guardian'
import { nowSeconds } from '../clock.js'
import type { ReceiverClock } from './receiver-clock.js'

/** What decides whether a worker runs. */
export type WorkGatePorts = {
  /** Who runs the receiver. */
  readonly own: string
  /** The identifier whose key signs an origin's tasks; null where only the pairing says who sends. */
  readonly senderOf: (origin_id: string) => string | null
  readonly evidence: EvidencePort
  readonly approvals: ApprovalPort
  /** The rules in force, asked at each decision. */
  readonly rules: () => Policy
  readonly clock: ReceiverClock
  /** How long an approval is waited for. */
  readonly approvalSeconds: number
  /** How often a minute a worker may run for one origin. */
  readonly runsPerMinute: number
}

/** The work that an effect is: done at most once, until it is told to stop. */
export type Work = (stop: AbortSignal) => Promise<void>

/**
 * The one way to a worker: each task is a run of the effect gate with one effect, `tool` of the worker's engine id, asked
 * for by whoever signed the task.
 * @see protocol SPEC "Effect gate"
 */
export class WorkGate {
  readonly #ports: WorkGatePorts
  readonly #rate = new TokenBuckets()

  constructor(ports: WorkGatePorts) {
    this.#ports = ports
  }

  /**
   * Takes a task's work to its end, whatever that is; when its life is over, it is cancelled.
   * @param stop the end of the task's life
   */
  async pass(admitted: AdmittedTask, engine: string, work: Work, stop: AbortSignal): Promise<Outcome> {
    const { evidence } = this.#ports
    const identity = this.#identityOf(admitted)
    const run = await Run.start({
      id: `run-${randomUUID()}`,
      identify: () => identity,
      evidence,
      live: new LiveEvents(),
    })
    const cancel = (): void => void run.end('cancelled')
    stop.addEventListener('abort', cancel)
    if (stop.aborted) cancel()
    try {
      return await settled(run, await this.#gateFor(engine, work).request(run, requestOf(admitted, engine)))
    } finally {
      stop.removeEventListener('abort', cancel)
    }
  }

  #gateFor(engine: string, work: Work): Gate {
    const { approvals, rules, clock, approvalSeconds, runsPerMinute } = this.#ports
    const capabilities = new CapabilityRegistry()
    capabilities.register({
      effect: 'tool',
      resource: engine,
      credentials: [],
      execute: async ({ signal }) => {
        await work(signal)
        // What the worker printed is for the result filter, and no part of the record.
        return null
      },
    })
    return new Gate({
      resource: (type, id) => ({ type, id, attributes: { tier: 2, scope: 'a2a', side_effect: 'write' } }),
      policy: { current: rules },
      approvals,
      quota: ({ principal }) => this.#rate.take(principal.id, runsPerMinute, clock.monotonicMs()),
      capabilities,
      secrets: new SecretVault(),
      nowSeconds: () => nowSeconds(clock),
      effectId: () => `effect-${randomUUID()}`,
      approvalSeconds,
    })
  }

  /** A task came under a MAC that only its origin's owner and we can make, and under the sender's key where it has one. */
  #identityOf({ origin, digest }: AdmittedTask): Identity {
    const { own, senderOf } = this.#ports
    const sender = senderOf(origin.origin_id) ?? `origin:${origin.origin_id}`
    return {
      owner: sender,
      tenant: own,
      session: digest,
      credential_context: origin.origin_id,
      principal: { type: 'Participant', id: sender, attributes: { did: sender, tier: 0 } },
      delegation: [],
    }
  }
}

const requestOf = (
  { task, instruction, rights, attachments, classification }: AdmittedTask,
  engine: string,
) =>
  ({
    effect: 'tool',
    resource: engine,
    // All that an approval binds, and all that whoever approves is shown.
    arguments: {
      task_id: task.task_id,
      persona: rights.persona,
      instruction,
      attachments: attachments.map(({ name, classification: label }) => ({ name, label })),
    },
    purpose: task.purpose_id ?? 'task',
    classification,
    recipients: [task.origin_id],
  }) satisfies EffectRequest

/** Ends the run as its effect ended; what could not be recorded did not happen. */
const settled = async (run: Run, outcome: Outcome): Promise<Outcome> => {
  const end = outcome.kind === 'completed' || outcome.kind === 'cancelled' ? outcome.kind : 'failed'
  const { effect_id } = outcome
  if (outcome.kind !== 'completed') await run.end(end)
  else if (!(await run.end(end))) return { kind: 'failed', effect_id, reason: 'evidence_unwritten' }
  return outcome
}
