import { type AdmittedContract, evaluateProgram, guardDraft, type ProgramInputs } from '@parley/guardian'
import { type AbortClass, type Bundle, hash, type JsonValue } from '@parley/protocol'
import { failed, type Finding, notRun, passed, same, stated } from '../finding.js'
import { wasEvaluated } from './evaluated.js'

/** Step 9 of SPEC §16: with both inputs open, the program is run again and must come to the same end. */
export const checkReexecution = (
  { openings, receipt }: Bundle,
  admitted: AdmittedContract | null,
): Finding => {
  if (!wasEvaluated(receipt.outcome)) return notRun('reexecution', 'not_reached')
  const inputs = bothInputs(openings.inputs)
  if (inputs === null) return notRun('reexecution', 'inputs_not_open')
  if (openings.output === null) return notRun('reexecution', 'output_not_open')
  if (admitted === null) return notRun('reexecution', 'prerequisite_failed')
  const again = run(admitted, inputs)
  if ('output' in again) return compare(again.output, receipt.outcome.abort_class, openings.output.output)
  return stated('reexecution', [
    same(again.abort_class, receipt.outcome.abort_class, 'reexecution_mismatch', 'outcome.abort_class'),
  ])
}

const bothInputs = (opened: Bundle['openings']['inputs']): ProgramInputs | null => {
  const initiator = opened.find(({ role }) => role === 'initiator')
  const responder = opened.find(({ role }) => role === 'responder')
  return initiator === undefined || responder === undefined
    ? null
    : { initiator: initiator.input, responder: responder.input }
}

type Again = { readonly output: JsonValue } | { readonly abort_class: AbortClass }

const run = ({ program, output: shape, policy }: AdmittedContract, inputs: ProgramInputs): Again => {
  const evaluation = evaluateProgram(program, inputs)
  if (!evaluation.ok) return { abort_class: 'EVALUATION_FAILED' }
  const decision = guardDraft({ shape, policy, draft: evaluation.value })
  return decision.ok ? { output: decision.output } : { abort_class: decision.abort_class }
}

const compare = (again: JsonValue, abortClass: AbortClass | null, opened: JsonValue): Finding =>
  abortClass === null && hash(again) === hash(opened)
    ? passed('reexecution')
    : failed('reexecution', 'reexecution_mismatch', 'output')
