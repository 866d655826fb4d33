import type { JsonValue } from '@parley/protocol'
import type { ApprovalPort } from './approval-port.js'
import type { CapabilityRegistry } from './capability-registry.js'
import { EFFECTS, type EffectRequest } from './effect.js'
import type { EffectStatement } from './effect-statement.js'
import type { PolicyEntity } from './entity.js'
import type { Identity } from './identity.js'
import type { Ending } from './outcome.js'
import type { PolicyAnswer } from './policy.js'
import type { PolicySlot } from './policy-slot.js'
import type { EffectFacts, Run } from './run.js'
import type { SecretVault } from './secret-vault.js'

/** What a gate stands on. */
export type GatePorts = {
  /** The resource of that type and id as the host knows it, or undefined. */
  readonly resource: (type: string, id: string) => PolicyEntity | undefined
  readonly policy: Pick<PolicySlot, 'current'>
  readonly approvals: ApprovalPort
  /** Takes what an effect costs; false where there is not enough. */
  readonly quota: (identity: Identity, request: EffectRequest) => boolean | Promise<boolean>
  readonly capabilities: CapabilityRegistry
  readonly secrets: SecretVault
  readonly nowSeconds: () => number
  /** A fresh unguessable id. */
  readonly effectId: () => string
  /** How long an approval may be waited for; 900 at most. */
  readonly approvalSeconds: number
}

/** One effect on its way through the gate. */
export type GateCase = {
  readonly run: Run
  readonly request: EffectRequest
  readonly statement: EffectStatement
  readonly digest: string
  readonly identity: Identity | undefined
  readonly resource: PolicyEntity | undefined
  readonly answer: PolicyAnswer | null
  readonly bundleHash: string | null
}

/** A stage lets a case pass, with what it learned, or ends it. `stopped`: the run took no further step of it. */
export type Stage =
  | { readonly kind: 'passed'; readonly at: GateCase }
  | { readonly kind: 'completed'; readonly at: GateCase; readonly result: JsonValue }
  | { readonly kind: 'ended'; readonly at: GateCase; readonly ending: Ending }
  | { readonly kind: 'stopped' }

/** Lets a case pass. */
export const pass = (at: GateCase): Stage => ({ kind: 'passed', at })

/** Ends a case without a completion. */
export const endAs = (at: GateCase, ending: Ending): Stage => ({ kind: 'ended', at, ending })

/** The run went no further. */
export const STOPPED: Stage = { kind: 'stopped' }

/** What the record says of a case. */
export const factsOfCase = ({ statement, digest, resource, answer, bundleHash }: GateCase): EffectFacts => ({
  effect_id: statement.effect_id,
  effect_digest: digest,
  action: EFFECTS[statement.effect].action,
  // Where the host does not know the resource, its id is the asker's text, and may say anything.
  resource: resource?.id ?? null,
  decision: answer?.decision ?? null,
  rules: answer?.rules ?? [],
  policy_bundle_hash: bundleHash,
})
