import { type JsonObject, ProtocolError } from '@parley/protocol'
import type { ApprovalRequest } from './approval.js'
import { askApproval, awaitApproval } from './approve-case.js'
import { decideAgain, decideCase, identifyNow } from './decide-case.js'
import { EFFECTS, type EffectRequest } from './effect.js'
import { effectDigest, stateEffect } from './effect-statement.js'
import { chargeCase, executeCase } from './execute-case.js'
import { factsOfCase, type GateCase, type GatePorts, STOPPED, type Stage } from './gate-case.js'
import type { PolicyEntity } from './entity.js'
import { parseEffectRequest } from './intent.js'
import type { Outcome } from './outcome.js'
import type { Run } from './run.js'
import { settleCase } from './settle-case.js'

/**
 * The one way to do anything to the world: identity, policy, approval, quota, capability, execution, evidence, in this
 * order. A request is an intent until a capability of the host has returned; only that is a completion.
 * @see SPEC "Effect gate"
 */
export class Gate {
  readonly #ports: GatePorts

  constructor(ports: GatePorts) {
    this.#ports = ports
  }

  /**
   * Takes one effect to its end. Never rejects for what the effect comes to: that is the outcome.
   * @throws ProtocolError `object_malformed`, `json_malformed`, `json_too_deep` where the request is none
   */
  async request(run: Run, asked: EffectRequest): Promise<Outcome> {
    const at = await this.#open(run, this.#ports.effectId(), parseEffectRequest(asked))
    const facts = factsOfCase(at)
    const begun = await run.advance({ event: 'requested', facts, content: this.#contentOf(at) })
    return settleCase(at, begun ? await this.#pass(at) : STOPPED)
  }

  /**
   * Takes up an effect that waited for an approval when the host stopped. Rules and identity are asked again first.
   * @param asked the request as the approvals kept it
   * @throws ProtocolError `object_malformed` where the run does not wait for exactly that
   */
  async resume(run: Run, asked: ApprovalRequest): Promise<Outcome> {
    const { effect_id, effect, resource, purpose, classification, recipients } = asked.effect
    const request = { effect, resource: resource.id, purpose, classification, recipients }
    const at = await this.#open(
      run,
      effect_id,
      parseEffectRequest({ ...request, arguments: asked.effect.arguments }),
    )
    const waiting = run.effect(effect_id)
    if (waiting?.state !== 'approval_required' || waiting.facts.effect_digest !== effectDigest(asked.effect))
      throw new ProtocolError('object_malformed', 'no effect of the run waits for this approval')
    const given = { ...at, statement: asked.effect, digest: waiting.facts.effect_digest }
    const again = await decideAgain(this.#ports, given)
    const answered = again.kind === 'passed' ? await awaitApproval(this.#ports, again.at, asked) : again
    return settleCase(given, await this.#carryOut(answered))
  }

  async #open(run: Run, effectId: string, request: EffectRequest): Promise<GateCase> {
    const identity = await identifyNow(run)
    const statement = stateEffect(effectId, request, identity)
    const resource = this.#resourceOf(request)
    const digest = effectDigest(statement)
    return { run, request, statement, digest, identity, resource, answer: null, bundleHash: null }
  }

  #resourceOf({ effect, resource }: EffectRequest): PolicyEntity | undefined {
    const type = EFFECTS[effect].resource
    const found = this.#ports.resource(type, resource)
    return found?.type === type && found.id === resource ? found : undefined
  }

  async #pass(given: GateCase): Promise<Stage> {
    const decided = decideCase(this.#ports, given)
    if (decided.kind !== 'passed' || decided.at.answer?.decision === 'allow') return this.#carryOut(decided)
    return this.#carryOut(await askApproval(this.#ports, decided.at))
  }

  async #carryOut(allowed: Stage): Promise<Stage> {
    if (allowed.kind !== 'passed') return allowed
    const charged = await chargeCase(this.#ports, allowed.at)
    return charged.kind === 'passed' ? executeCase(this.#ports, charged.at) : charged
  }

  // Live events may hold what an effect carries, and no credential, wherever it came from.
  #contentOf({ request }: GateCase): Readonly<Record<'arguments', JsonObject>> | null {
    return this.#ports.secrets.isIn({ ...request }) ? null : { arguments: request.arguments }
  }
}
