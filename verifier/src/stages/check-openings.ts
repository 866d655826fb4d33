import { type AdmittedContract, checkInput, guardOutput } from '@parley/guardian'
import { type Bundle, commitInput, commitOutput, hash, type JsonValue, type Receipt } from '@parley/protocol'
import { failed, type Finding, notRun, passed, same, stated } from '../finding.js'
import { checkLedger } from './check-ledger.js'
import { checkNarrowing } from './check-narrowing.js'
import type { ReadBundle } from './read-bundle.js'

type OpenedInput = Bundle['openings']['inputs'][number]
type OpenedOutput = NonNullable<Bundle['openings']['output']>

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
      commitmentOf(openings.output, receipt),
      'opening_mismatch',
      'output',
    ),
  ])
}

// A participant with a row of its own gets only its part; null opens the whole.
const commitmentOf = ({ role }: OpenedOutput, { participants, output_commitment }: Receipt): string | null =>
  role === null
    ? output_commitment
    : (participants.find((party) => party.role === role)?.narrowed_commitment ?? null)

const checkAllowed = ({ openings, receipt }: Bundle, admitted: AdmittedContract | null): Finding => {
  if (openings.output === null) return notRun('output_allowed', 'output_not_open')
  if (receipt.outcome.status === 'ABORTED') return ofAborted(openings.output, receipt, admitted)
  if (admitted === null) return notRun('output_allowed', 'prerequisite_failed')
  const narrowing = checkNarrowing(openings.output, receipt, admitted)
  return narrowing.result === 'passed' && openings.output.role === null
    ? judgeWhole(openings.output, receipt, admitted)
    : narrowing
}

// An aborted session has no output: null is what it commits to, whatever its schema admits.
const ofAborted = (opened: OpenedOutput, receipt: Receipt, admitted: AdmittedContract | null): Finding => {
  if (opened.output !== null || opened.findings.length > 0)
    return failed('output_allowed', 'output_of_aborted', 'output')
  return admitted === null ? passed('output_allowed') : checkNarrowing(opened, receipt, admitted)
}

const judgeWhole = (
  { output, findings }: OpenedOutput,
  { participants }: Receipt,
  { output: shape, policy }: AdmittedContract,
): Finding => {
  const decision = guardOutput({ shape, policy, draft: output, participants: participants.length })
  if (!decision.ok) return failed('output_allowed', 'output_refused', decision.code)
  return stated('output_allowed', [
    same(hash(findings), hash(decision.findings), 'findings_mismatch', 'findings'),
  ])
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

const isAdmissible = ({ inputs }: AdmittedContract, role: OpenedInput['role'], input: JsonValue): boolean => {
  if (inputs === null) return true
  const shape = inputs[role]
  return shape !== undefined && checkInput(shape, input).ok
}
