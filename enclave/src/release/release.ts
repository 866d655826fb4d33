import { type AdmittedContract, evaluateProgram, guardDraft } from '@parley/guardian'
import type { AbortClass, JsonValue, Outcome } from '@parley/protocol'
import type { Agreement } from '../session/agreement.js'

/** What may be told of a session: the only thing that leaves evaluation and guardian. */
export type Release = {
  readonly outcome: Outcome
  /** Null where the session was aborted. */
  readonly output: JsonValue
  /** Whether the inputs met the program: then the session is charged, whatever came of it. */
  readonly evaluated: boolean
}

/** The end of a session that was never evaluated. */
export function unevaluated(abort_class: Extract<AbortClass, 'EXPIRED' | 'CANCELLED'>): Release {
  return { ...aborted(abort_class), evaluated: false }
}

/** Runs the contract's program over both inputs, and lets the guardian judge the draft. */
export function evaluate(
  { admitted }: Agreement,
  inputs: { readonly initiator: JsonValue; readonly responder: JsonValue },
): Release {
  try {
    const evaluation = evaluateProgram(admitted.program, inputs)
    return evaluation.ok ? guarded(admitted, evaluation.value) : aborted('EVALUATION_FAILED')
  } catch {
    // Neither throws. If one did, its message would be about an input: it ends here.
    return aborted('EVALUATION_FAILED')
  }
}

const guarded = ({ output: shape, policy }: AdmittedContract, draft: JsonValue): Release => {
  const decision = guardDraft({ shape, policy, draft })
  if (!decision.ok) return aborted('OUTPUT_REFUSED')
  return { outcome: { status: 'COMPLETED', abort_class: null }, output: decision.output, evaluated: true }
}

const aborted = (abort_class: AbortClass): Release => ({
  outcome: { status: 'ABORTED', abort_class },
  output: null,
  evaluated: true,
})
