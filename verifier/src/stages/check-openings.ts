import { type AdmittedContract, checkInput, guardDraft } from '@parley/guardian'
import { type Bundle, commitInput, commitOutput, type JsonValue } from '@parley/protocol'
import { failed, type Finding, notRun, passed, same, stated } from '../finding.js'
import { checkLedger } from './check-ledger.js'
import type { ReadBundle } from './read-bundle.js'

type OpenedInput = Bundle['openings']['inputs'][number]

/** Step 8 of SPEC §16: what the holder opened is what was committed to, and was allowed. */
export const checkOpenings = (read: ReadBundle, admitted: AdmittedContract | null): readonly Finding[] => [
  checkCommitment(read.bundle),
  checkAllowed(read.bundle, admitted),
  checkInputs(read.bundle, admitted),
  checkLedger(read),
]

const checkCommitment = ({ openings, receipt }: Bundle): Finding => {
  if (openings.output === null) return notRun('output', 'output_not_open')
  const { session_id, lane } = receipt
  return stated('output', [
    same(
      commitOutput(lane, { session_id, ...openings.output }),
      receipt.output_commitment,
      'opening_mismatch',
      'output',
    ),
  ])
}

// An aborted session has no output: null is what it commits to, whatever its schema admits.
const checkAllowed = ({ openings, receipt }: Bundle, admitted: AdmittedContract | null): Finding => {
  if (openings.output === null) return notRun('output_allowed', 'output_not_open')
  const { output } = openings.output
  if (receipt.outcome.status === 'ABORTED')
    return output === null
      ? passed('output_allowed')
      : failed('output_allowed', 'output_of_aborted', 'output')
  if (admitted === null) return notRun('output_allowed', 'prerequisite_failed')
  const decision = guardDraft({ shape: admitted.output, policy: admitted.policy, draft: output })
  return decision.ok ? passed('output_allowed') : failed('output_allowed', 'output_refused', decision.code)
}

const checkInputs = ({ openings, receipt }: Bundle, admitted: AdmittedContract | null): Finding => {
  const { inputs } = openings
  if (inputs.length === 0) return notRun('inputs', 'inputs_not_open')
  if (new Set(inputs.map(({ role }) => role)).size < inputs.length)
    return failed('inputs', 'opening_mismatch', 'an input is opened twice')
  const { session_id, lane, participants } = receipt
  const committed = stated(
    'inputs',
    inputs.map((opened) => {
      const commitment = participants.find(({ role }) => role === opened.role)?.input_commitment ?? null
      return same(
        commitInput(lane, { session_id, ...opened }),
        commitment,
        'opening_mismatch',
        `input of the ${opened.role}`,
      )
    }),
  )
  return committed.result === 'passed' ? checkAdmissible(inputs, admitted) : committed
}

const checkAdmissible = (inputs: readonly OpenedInput[], admitted: AdmittedContract | null): Finding => {
  if (admitted === null) return notRun('inputs', 'prerequisite_failed')
  const refused = inputs.find(({ role, input }) => !isAdmissible(admitted, role, input))
  return refused === undefined
    ? passed('inputs')
    : failed('inputs', 'input_refused', `input of the ${refused.role}`)
}

const isAdmissible = ({ inputs }: AdmittedContract, role: OpenedInput['role'], input: JsonValue): boolean =>
  inputs === null || checkInput(inputs[role], input).ok
