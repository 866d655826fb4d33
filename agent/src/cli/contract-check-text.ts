import { type Admission, type AdmittedContract, explainCapacity, type GuardianPolicy } from '@parley/guardian'
import { hash } from '@parley/protocol'
import { bitsText } from './parse-option.js'

/** What became of a contract, a figure a line. */
export const admissionLines = (policy: GuardianPolicy, admission: Admission): readonly string[] => [
  `policy     ${policy.policy_id}, ${hash(policy)}`,
  ...(admission.ok
    ? ['verdict    ADMITTED', ...admittedLines(admission.admitted)]
    : [`verdict    REFUSED, ${admission.code} at ${admission.pointer === '' ? '/' : admission.pointer}`]),
  ...(admission.ok || admission.detail === undefined ? [] : [`detail     ${admission.detail}`]),
]

const admittedLines = (admitted: AdmittedContract): readonly string[] => [
  `evaluator  ${admitted.evaluator}, ${evaluatedBy(admitted)}`,
  ...capacityLines(admitted),
  ...admitted.advisories.map(({ code }) => `advisory   ${code}`),
  ...explainCapacity(admitted.output).map(
    ({ pointer, outputs, bits, why }) =>
      `  ${pointer === '' ? '(output)' : pointer}  ${outputs} values, ${bits.toFixed(3)} bits: ${why}`,
  ),
  ...inputLines(admitted),
]

const evaluatedBy = ({ program_hash, model, contract }: AdmittedContract): string =>
  model === null
    ? `program ${program_hash ?? 'none'}, cost limit ${contract.program?.cost_limit ?? 0}`
    : `${model.profile.provider} ${model.profile.model_id}, prompt ${model.prompt_program_hash}`

const capacityLines = ({ capacity, contract }: AdmittedContract): readonly string[] => {
  const { outputs, outcomes, bits, charge_millibits, agentvault_bits } = capacity
  const { entropy_budget_bits: budget, entropy_enforcement: enforcement = 'Advisory' } = contract
  return [
    `outputs    ${outputs}, with the ways to end without one ${outcomes}`,
    `bits       ${bits}, budget ${budget === null ? 'none' : `${budget}, ${enforcement}`}`,
    `charge     ${bitsText(charge_millibits)} of each participant's ledger a session`,
    `agentvault ${agentvault_bits === null ? 'no figure' : `${agentvault_bits} bits`} by its own count`,
  ]
}

const inputLines = ({ inputs }: AdmittedContract): readonly string[] =>
  inputs === null
    ? ['  input    any JSON']
    : Object.entries(inputs).map(
        ([role, shape]) => `  input    ${role}: ${shape.maxInputBytes} bytes at most`,
      )
