import { type AbortClass, canonicalize, type JsonValue, parseCanonicalJson } from '@parley/protocol'
import { checkOutput } from './capacity/check-output.js'
import type { OutputShape } from './capacity/output-shape.js'
import type { Advisory } from './policy/advisory.js'
import type { GuardianPolicy } from './policy/guardian-policy.js'
import { applyOutputRules } from './policy/output-rules.js'
import type { ValueCode } from './schema/check-value.js'

/** An evaluator's result, and what it is judged by. */
export type DraftToGuard = {
  readonly shape: OutputShape
  readonly policy: GuardianPolicy
  readonly draft: JsonValue
}

/** What may be released, or why the draft may not leave. All of it depends on the inputs. */
export type GuardDecision =
  | { readonly ok: true; readonly output: JsonValue; readonly advisories: readonly Advisory[] }
  | {
      readonly ok: false
      readonly abort_class: AbortClass
      readonly code: ValueCode | 'output_refused'
    }

/**
 * Decides whether a draft may leave: schema, then policy, then a fresh value from its canonical text, because the
 * order of members, a second zero or a shared object would be channels of their own. It never judges whether
 * a signal is right.
 * @see DESIGN §6, Guardian
 */
export const guardDraft = ({ shape, policy, draft }: DraftToGuard): GuardDecision => {
  const admitted = checkOutput(shape, draft)
  if (!admitted.ok) return withheld(admitted.code)
  const rules = applyOutputRules(policy, draft)
  if (!rules.ok) return withheld(rules.code)
  return { ok: true, output: parseCanonicalJson(canonicalize(draft)), advisories: rules.advisories }
}

const withheld = (code: ValueCode | 'output_refused'): GuardDecision => ({
  ok: false,
  abort_class: 'OUTPUT_REFUSED',
  code,
})
