import type { EffectState, RunState } from './effect-state.js'
import type { Reason } from './outcome.js'
import type { Decision } from './policy.js'

/** What a durable record says of an effect: names that the host chose, digests, and nothing that anybody wrote. */
export type EffectFields = {
  readonly run_id: string
  /** The number of the event in its run, from 0, without gaps. */
  readonly seq: number
  readonly effect_id: string
  readonly effect_digest: string
  readonly action: string
  /** The id of the resource where the host knows it; null otherwise, since then it is the asker's text. */
  readonly resource: string | null
  readonly decision: Decision | null
  /** The ids of the rules that decided. */
  readonly rules: readonly string[]
  readonly policy_bundle_hash: string | null
  readonly reason: Reason | null
}

/** A durable record of the gate. */
export type GateRecord =
  | { readonly event: `effect.${EffectState}`; readonly fields: EffectFields }
  | { readonly event: `run.${RunState}`; readonly fields: { readonly run_id: string; readonly seq: number } }

/**
 * Where durable records go. Resolves once the record is on the disk; what follows from the event happens after that.
 * Where it rejects, the run is over.
 */
export type EvidencePort = (record: GateRecord) => Promise<void>
