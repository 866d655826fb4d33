import { type Capacity, type Contract, hash } from '@parley/protocol'
import { agentVaultBits } from '../capacity/agentvault-bits.js'
import { capacityOf } from '../capacity/capacity-of.js'
import type { OutputShape } from '../capacity/output-shape.js'
import type { OutputShapeCache } from '../capacity/output-shape-cache.js'
import type { Advisory } from '../policy/advisory.js'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import { type Refused, refused } from '../refused.js'
import { type BudgetRefusal, checkEntropyBudgets } from './entropy-budgets.js'
import { type AdmittedProgram, admitEvaluator, type EvaluatorCode } from './evaluator.js'
import { admitInputSchemas, admitOutputSchema, type InputSchemaCode, type InputShapes } from './schemas.js'

/** A contract under a policy, with what its relay has compiled before, if anything. */
export type ContractToAdmit = {
  readonly contract: Contract
  readonly policy: GuardianPolicy
  readonly shapes?: OutputShapeCache
}

/** A contract that may run: everything that its session needs, compiled and counted. */
export type AdmittedContract = AdmittedProgram & {
  readonly contract: Contract
  readonly policy: GuardianPolicy
  readonly guardian_policy_hash: string
  readonly output: OutputShape
  readonly output_schema_hash: string
  /** Null where the contract states no input schemas: then any JSON may be submitted. */
  readonly inputs: InputShapes | null
  readonly capacity: Capacity
  readonly advisories: readonly Advisory[]
}

/** Why a contract is refused, with the JSON pointer of the cause in the contract. The union is closed. */
export type ContractCode =
  | EvaluatorCode
  | InputSchemaCode
  | BudgetRefusal['code']
  | 'output_schema_hash_mismatch'
  | 'policy_hash_mismatch'

/** A contract's admission. */
export type Admission = { readonly ok: true; readonly admitted: AdmittedContract } | Refused<ContractCode>

/**
 * Checks a contract in full, before any input is accepted: policy, evaluator, schemas, capacity, budgets.
 * Never throws.
 * @see protocol SPEC §6; DESIGN §6
 */
export const admitContract = ({ contract, policy, shapes }: ContractToAdmit): Admission => {
  const guardian_policy_hash = hash(policy)
  if ((contract.enforcement_policy_hash ?? guardian_policy_hash) !== guardian_policy_hash)
    return refused('policy_hash_mismatch', '/enforcement_policy_hash')
  const evaluator = admitEvaluator(contract)
  if (!evaluator.ok) return evaluator
  const schema = admitOutputSchema(contract, shapes)
  if (!schema.ok) return schema
  const inputSchemas = admitInputSchemas(contract)
  if (!inputSchemas.ok) return inputSchemas
  const capacity = capacityOf(schema.output.outputs, agentVaultBits(contract.output_schema))
  const budgets = checkEntropyBudgets(contract, policy, capacity.bits)
  if (!budgets.ok) return budgets
  const { program, program_hash } = evaluator
  const { output, output_schema_hash } = schema
  const { inputs } = inputSchemas
  const { advisories } = budgets
  return {
    ok: true,
    admitted: {
      contract,
      policy,
      guardian_policy_hash,
      program,
      program_hash,
      output,
      output_schema_hash,
      inputs,
      capacity,
      advisories,
    },
  }
}
