import { type AdmittedContract, evaluateProgram, guardDraft, type NarrowedOutput } from '@parley/guardian'
import { type AbortClass, type Bundle, byRoleOf, hash, type JsonValue, wasEvaluated } from '@parley/protocol'
import { failed, type Finding, notRun, same, stated } from '../finding.js'

/** Step 9 of SPEC §16: with all inputs open, the program is run again and must come to the same end. */
export const checkReexecution = (
  { openings, receipt }: Bundle,
  admitted: AdmittedContract | null,
): Finding => {
  if (!wasEvaluated(receipt.outcome)) return notRun('reexecution', 'not_reached')
  if (receipt.evaluator !== 'cel') return notRun('reexecution', 'model_not_repeatable')
  const inputs = receipt.participants.flatMap(
    ({ role }) => openings.inputs.find((opened) => opened.role === role) ?? [],
  )
  if (inputs.length < receipt.participants.length) return notRun('reexecution', 'inputs_not_open')
  if (openings.output === null) return notRun('reexecution', 'output_not_open')
  if (admitted === null) return notRun('reexecution', 'prerequisite_failed')
  const again = run(
    admitted,
    inputs.map(({ input }) => input),
  )
  if ('output' in again) return compare(again, receipt.outcome.abort_class, openings.output)
  return stated('reexecution', [
    same(again.abort_class, receipt.outcome.abort_class, 'reexecution_mismatch', 'outcome.abort_class'),
  ])
}

type Ran = {
  readonly output: JsonValue
  readonly findings: readonly string[]
  readonly narrowed: readonly NarrowedOutput[]
}

type Again = Ran | { readonly abort_class: AbortClass }

const run = ({ program, output: shape, policy }: AdmittedContract, inputs: readonly JsonValue[]): Again => {
  // Only a program can be run again: of another evaluator this says nothing.
  const evaluation = program === null ? null : evaluateProgram(program, byRoleOf(inputs))
  if (evaluation?.ok !== true) return { abort_class: 'EVALUATION_FAILED' }
  const decision = guardDraft({ shape, policy, draft: evaluation.value, inputs })
  return decision.ok ? decision : { abort_class: decision.abort_class }
}

const compare = (
  { output, findings, narrowed }: Ran,
  abortClass: AbortClass | null,
  opened: NonNullable<Bundle['openings']['output']>,
): Finding => {
  if (abortClass !== null) return failed('reexecution', 'reexecution_mismatch', 'output')
  const [expected, found] =
    opened.role === null
      ? [output, findings]
      : [narrowed.find(({ role }) => role === opened.role)?.output ?? null, []]
  return stated('reexecution', [
    same(hash(expected), hash(opened.output), 'reexecution_mismatch', 'output'),
    same(hash(found), hash(opened.findings), 'reexecution_mismatch', 'findings'),
  ])
}
