import {
  type ApprovalPort,
  CapabilityRegistry,
  type Effect,
  type EvidencePort,
  Gate,
  type GatePorts,
  LiveEvents,
  type Outcome,
  type PolicyEntity,
  Run,
  SecretVault,
} from '@parley/guardian'
import { toHex } from '@parley/protocol'
import type { Services } from '../session/services.js'
import type { Cell } from '../session/session-table.js'
import { INPUT_LABEL, PURPOSE } from './effect-resources.js'
import { holdRecords } from './hold-records.js'
import { identityOf } from './session-identity.js'

/** What a session is about to do to the world. */
export type WantedEffect = {
  readonly effect: Extract<Effect, 'infer' | 'egress' | 'release'>
  readonly resource: PolicyEntity
}

/**
 * What became of an effect. `denied`: nothing was done, and the log says so. `unrecorded`: nothing was done, since the
 * log could not take its start; it may be tried again.
 */
export type Performed<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'denied' }
  | { readonly kind: 'unrecorded' }

type Deps = Pick<Services, 'audit' | 'bundle' | 'clock' | 'effectPolicy' | 'keys' | 'random'>

const EFFECT_ID_BYTES = 16

// All consent to the offer before there is an input. Nobody is there to be asked for more: what would need it is denied.
const NO_APPROVALS: ApprovalPort = {
  ask: () => Promise.reject(new RangeError('nobody approves here')),
  answer: () => Promise.resolve('denied'),
  use: () => Promise.resolve('refused'),
}

/** The effects of one session, all of them through the gate: there is no other way to evaluate, to call or to release. */
export class SessionEffects {
  readonly #deps: Deps
  readonly #cell: Cell
  readonly #evidence: EvidencePort
  #run: Run | undefined
  #runs = 0

  constructor(deps: Deps, cell: Cell) {
    this.#deps = deps
    this.#cell = cell
    this.#evidence = holdRecords(deps.audit)
  }

  /** Does it, once its start is in the log, if identity and policy let it. @throws what `act` throws */
  async perform<T>({ effect, resource }: WantedEffect, act: () => Promise<T>): Promise<Performed<T>> {
    const acted: Promise<T>[] = []
    const capabilities = new CapabilityRegistry()
    const execute = async (): Promise<null> => {
      acted.push(act())
      await acted[0]
      return null
    }
    capabilities.register({ effect, resource: resource.id, credentials: [], execute })
    const gate = new Gate(this.#ports(resource, capabilities))
    const { id, agreement, offered } = this.#live()
    const outcome = await gate.request(await this.#standingRun(id), {
      effect,
      resource: resource.id,
      arguments: { offer_digest: offered?.digest ?? null },
      purpose: PURPOSE,
      classification: INPUT_LABEL,
      recipients: effect === 'release' ? agreement.participants : [],
    })
    const [result] = acted
    return result === undefined ? undone(outcome) : { kind: 'done', value: await result }
  }

  /** Writes down what is left to write. Where that fails, the log ends with an effect that had started. */
  async end(state: 'completed' | 'failed'): Promise<void> {
    await this.#run?.end(state)
  }

  #live() {
    const { current } = this.#cell
    if (current.kind === 'ended') throw new RangeError('an effect of a session that has ended')
    return current
  }

  // Once a record could not be written, a run goes no further: what is tried again is another one's.
  async #standingRun(sessionId: string): Promise<Run> {
    if (this.#run?.state === 'started') return this.#run
    const id = this.#runs === 0 ? sessionId : `${sessionId}.${this.#runs}`
    this.#runs += 1
    const identify = () => identityOf(this.#deps, this.#cell.current)
    this.#run = await Run.start({ id, identify, evidence: this.#evidence, live: new LiveEvents() })
    return this.#run
  }

  #ports(resource: PolicyEntity, capabilities: CapabilityRegistry): GatePorts {
    const { clock, effectPolicy, random } = this.#deps
    return {
      resource: () => resource,
      policy: { current: () => effectPolicy },
      approvals: NO_APPROVALS,
      // What a session costs was reserved by its offer, and the commit debits it.
      quota: () => true,
      capabilities,
      secrets: new SecretVault(),
      nowSeconds: clock.nowSeconds,
      effectId: () => toHex(random(EFFECT_ID_BYTES)),
      approvalSeconds: 1,
    }
  }
}

// Nothing was done, and every end of it but a denial comes of a log that could not be written.
const undone = ({ kind }: Outcome): Performed<never> => ({
  kind: kind === 'denied' ? 'denied' : 'unrecorded',
})
