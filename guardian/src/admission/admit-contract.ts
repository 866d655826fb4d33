import { type Capacity, type Contract, hash, type JsonObject } from '@parley/protocol'
import { agentVaultBits } from '../capacity/agentvault-bits.js'
import { capacityAdvisories } from '../capacity/capacity-advisories.js'
import { capacityOf } from '../capacity/capacity-of.js'
import type { OutputShape } from '../capacity/output-shape.js'
import type { OutputShapeCache } from '../capacity/output-shape-cache.js'
import type { Advisory } from '../policy/advisory.js'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import { type Refused, refused } from '../refused.js'
import type { Registry } from '../registry/registry.js'
import { type BudgetRefusal, checkEntropyBudgets } from './entropy-budgets.js'
import { type AdmittedEvaluator, admitEvaluator, type Evaluator, type EvaluatorCode } from './evaluator.js'
import { checkPolicyFit, type PolicyFitCode } from './policy-fit.js'
import {
  admitInputSchemas,
  admitOutputSchema,
  type InputSchemaCode,
  type InputShapes,
  type OutputSchemaCode,
} from './schemas.js'

/** A contract, and what it is held against. */
export type ContractToAdmit = {
  readonly contract: Contract
  readonly policy: GuardianPolicy
  /** Holds what the contract names by hash alone: a schema, a prompt program, a model profile. */
  readonly registry: Registry
  /** The evaluators that may be asked for. */
  readonly evaluators: readonly Evaluator[]
  /** What was compiled before, if anything. */
  readonly shapes?: OutputShapeCache
}

/** A contract that may run: everything that its session needs, resolved, compiled and counted. */
export type AdmittedContract = AdmittedEvaluator & {
  readonly contract: Contract
  readonly policy: GuardianPolicy
  readonly guardian_policy_hash: string
  readonly output: OutputShape
  /** The schema itself: the contract's, or the registry's where the contract holds a stub. */
  readonly output_schema: JsonObject
  readonly output_schema_hash: string
  /** Null where the contract states no input schemas: then any JSON may be submitted. */
  readonly inputs: InputShapes | null
  readonly capacity: Capacity
  readonly advisories: readonly Advisory[]
}

/** Why a contract is refused, with the JSON pointer of the cause in the contract. The union is closed. */
export type ContractCode =
  | EvaluatorCode
  | OutputSchemaCode
  | InputSchemaCode
  | BudgetRefusal['code']
  | PolicyFitCode
  | 'policy_hash_mismatch'

/** A contract's admission. */
export type Admission = { readonly ok: true; readonly admitted: AdmittedContract } | Refused<ContractCode>

/**
 * Checks a contract in full, before any input is accepted: policy, evaluator, schemas, capacity, budgets.
 * Never throws.
 * @see protocol SPEC §6, §17; DESIGN §6
 */
export const admitContract = (asked: ContractToAdmit): Admission => {
  const { contract, policy } = asked
  const guardian_policy_hash = hash(policy)
  if ((contract.enforcement_policy_hash ?? guardian_policy_hash) !== guardian_policy_hash)
    return refused('policy_hash_mismatch', '/enforcement_policy_hash')
  const evaluator = admitEvaluator(asked)
  if (!evaluator.ok) return evaluator
  const schema = admitOutputSchema(asked)
  if (!schema.ok) return schema
  const inputSchemas = admitInputSchemas(contract)
  if (!inputSchemas.ok) return inputSchemas
  const { output, output_schema } = schema.admitted
  const unfit = checkPolicyFit(policy, output, contract)
  if (unfit !== null) return unfit
  const capacity = capacityOf(output.outputs, agentVaultBits(output_schema), evaluator.admitted.evaluator)
  const budgets = checkEntropyBudgets(contract, policy, capacity.bits)
  if (!budgets.ok) return budgets
  return {
    ok: true,
    admitted: {
      contract,
      policy,
      guardian_policy_hash,
      ...evaluator.admitted,
      ...schema.admitted,
      inputs: inputSchemas.inputs,
      capacity,
      advisories: [...budgets.advisories, ...capacityAdvisories(capacity)],
    },
  }
}
