import { type AdmittedContract, compileProgram, evaluateProgram, guardDraft } from '@parley/guardian'
import {
  type AbortClass,
  byRoleOf,
  type Evidence,
  type JsonValue,
  type Outcome,
  parseCanonicalJson,
} from '@parley/protocol'
import { contractOf } from '../session/contract-of.js'

/** What may be told of a session: the only thing that leaves evaluation and guardian. */
export type Release = {
  readonly outcome: Outcome
  /** Null where the session was aborted. */
  readonly output: JsonValue
  /** Ids of the advisory rules that matched; none where the session was aborted. */
  readonly findings: readonly string[]
  /** Whether the inputs met the evaluator: then the session is charged, whatever came of it. */
  readonly evaluated: boolean
  readonly asked: AskedModel
}

/** What is told of the model that was asked. */
export type AskedModel = {
  /** The name that the provider's answer gave; null where there was none. */
  readonly model_returned: string | null
  /** The provider's evidence, to which the prompt was sealed. */
  readonly provider_evidence: Evidence | null
}

/** Where no model was asked. */
const NOBODY: AskedModel = { model_returned: null, provider_evidence: null }

/** The end of a session that was never evaluated. */
export function unevaluated(abort_class: Extract<AbortClass, 'EXPIRED' | 'CANCELLED'>): Release {
  return { ...aborted(abort_class), evaluated: false }
}

/** All that an evaluation needs, as plain data that another thread can be given. */
export type EvaluationJob = Pick<AdmittedContract, 'output' | 'policy'> & {
  /** Of an admitted contract, canonical; its program is compiled where it runs. */
  readonly contractBytes: Uint8Array
  /** Canonical bytes of accepted inputs, in role order. */
  readonly inputs: readonly Uint8Array[]
}

/** Runs the contract's program over all inputs, and lets the guardian judge the draft. */
export function evaluate(job: EvaluationJob): Release {
  try {
    const inputs = job.inputs.map((bytes) => parseCanonicalJson(bytes))
    const draft = draftOf(job, inputs)
    return draft.ok ? guarded(job, inputs, draft.value) : aborted('EVALUATION_FAILED')
  } catch {
    // Nothing here throws for what was admitted. If it did, its message would be about an input: it ends here.
    return aborted('EVALUATION_FAILED')
  }
}

type Draft = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false }

const draftOf = (job: EvaluationJob, inputs: readonly JsonValue[]): Draft => {
  const { program } = contractOf(job)
  if (program === undefined) return { ok: false }
  const compiled = compileProgram(program, inputs.length)
  return compiled.ok ? evaluateProgram(compiled.program, byRoleOf(inputs)) : compiled
}

/** What the guardian makes of a draft. */
export const guarded = (
  { output: shape, policy }: Pick<EvaluationJob, 'output' | 'policy'>,
  inputs: readonly JsonValue[],
  draft: JsonValue,
): Release => {
  const decision = guardDraft({ shape, policy, draft, inputs })
  if (!decision.ok) return aborted('OUTPUT_REFUSED')
  const { output, findings } = decision
  const outcome = { status: 'COMPLETED', abort_class: null } as const
  return { outcome, output, findings, evaluated: true, asked: NOBODY }
}

/** An end without an output. */
export const aborted = (abort_class: AbortClass): Release => ({
  outcome: { status: 'ABORTED', abort_class },
  output: null,
  findings: [],
  evaluated: true,
  asked: NOBODY,
})
