import { canonicalize, type JsonValue, parseCanonicalJson, rolesOf } from '@parley/protocol'
import { checkOutput } from './capacity/check-output.js'
import type { OutputShape } from './capacity/output-shape.js'
import { passesCanaryRules } from './policy/canary-rules.js'
import type { GuardianPolicy } from './policy/guardian-policy.js'
import { type NarrowedOutput, narrowOutput } from './policy/narrow-output.js'
import { applyOutputRules } from './policy/output-rules.js'
import type { ValueCode } from './schema/check-value.js'

/** An output, and what it is judged by. */
export type OutputToGuard = {
  readonly shape: OutputShape
  readonly policy: GuardianPolicy
  readonly draft: JsonValue
  /** How many participants the contract has. */
  readonly participants: number
}

/** An evaluator's result, what it came from, and what it is judged by. */
export type DraftToGuard = Omit<OutputToGuard, 'participants'> & {
  /** Every participant's input, in role order. */
  readonly inputs: readonly JsonValue[]
}

/** What may be released, or why the draft may not leave. All of it depends on the inputs. */
export type GuardDecision =
  | {
      readonly ok: true
      readonly output: JsonValue
      /** Ids of the advisory rules that matched, sorted: they follow from the output alone. */
      readonly findings: readonly string[]
      /** What each narrowed participant gets instead of the output. */
      readonly narrowed: readonly NarrowedOutput[]
    }
  | {
      readonly ok: false
      readonly abort_class: 'OUTPUT_REFUSED'
      readonly code: ValueCode | 'output_refused'
    }

/**
 * Decides whether a draft may leave: schema, then policy, then a fresh value from its canonical text, because the
 * order of members, a second zero or a shared object would be channels of their own. It never judges whether
 * a signal is right.
 * @see DESIGN §6, Guardian; protocol SPEC §17
 */
export const guardDraft = ({ inputs, ...judged }: DraftToGuard): GuardDecision => {
  const decision = guardOutput({ ...judged, participants: inputs.length })
  if (!decision.ok) return decision
  const { shape, policy } = judged
  return passesCanaryRules({ policy, shape, output: decision.output, inputs })
    ? decision
    : withheld('output_refused')
}

/**
 * All that can be said of an output without the inputs: {@link guardDraft} without the rules that look at them. For
 * whoever is shown an output that a relay has released; a relay itself has the inputs.
 * @see protocol SPEC §17
 */
export const guardOutput = ({ shape, policy, draft, participants }: OutputToGuard): GuardDecision => {
  const admitted = checkOutput(shape, draft)
  if (!admitted.ok) return withheld(admitted.code)
  const rules = applyOutputRules(policy, draft)
  if (!rules.ok) return withheld(rules.code)
  const output = parseCanonicalJson(canonicalize(draft))
  const narrowed = narrowOutput(policy, output, rolesOf(participants))
  return { ok: true, output, findings: rules.findings, narrowed }
}

const withheld = (code: ValueCode | 'output_refused'): GuardDecision => ({
  ok: false,
  abort_class: 'OUTPUT_REFUSED',
  code,
})
