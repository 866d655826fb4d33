import { type AdmittedContract, compileProgram, evaluateProgram, guardDraft } from '@parley/guardian'
import { type AbortClass, type JsonValue, type Outcome, parseCanonicalJson } from '@parley/protocol'
import { contractOf } from '../session/contract-of.js'

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

/** All that an evaluation needs, as plain data that another thread can be given. */
export type EvaluationJob = Pick<AdmittedContract, 'output' | 'policy'> & {
  /** Of an admitted contract, canonical; its program is compiled where it runs. */
  readonly contractBytes: Uint8Array
  /** Canonical bytes of accepted inputs. */
  readonly initiator: Uint8Array
  readonly responder: Uint8Array
}

/** Runs the contract's program over both inputs, and lets the guardian judge the draft. */
export function evaluate(job: EvaluationJob): Release {
  try {
    const draft = draftOf(job)
    return draft.ok ? guarded(job, draft.value) : aborted('EVALUATION_FAILED')
  } catch {
    // Nothing here throws for what was admitted. If it did, its message would be about an input: it ends here.
    return aborted('EVALUATION_FAILED')
  }
}

type Draft = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false }

const draftOf = (job: EvaluationJob): Draft => {
  const { program } = contractOf(job)
  if (program === undefined) return { ok: false }
  const compiled = compileProgram(program)
  if (!compiled.ok) return compiled
  const [initiator, responder] = [parseCanonicalJson(job.initiator), parseCanonicalJson(job.responder)]
  return evaluateProgram(compiled.program, { initiator, responder })
}

const guarded = ({ output: shape, policy }: EvaluationJob, draft: JsonValue): Release => {
  const decision = guardDraft({ shape, policy, draft })
  if (!decision.ok) return aborted('OUTPUT_REFUSED')
  return { outcome: { status: 'COMPLETED', abort_class: null }, output: decision.output, evaluated: true }
}

const aborted = (abort_class: AbortClass): Release => ({
  outcome: { status: 'ABORTED', abort_class },
  output: null,
  evaluated: true,
})
