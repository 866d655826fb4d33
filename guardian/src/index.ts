export type { AdmittedEvaluator, Evaluator, EvaluatorCode } from './admission/evaluator.js'
export type { AdmittedModel } from './admission/model.js'
export {
  type Admission,
  type AdmittedContract,
  admitContract,
  type ContractCode,
  type ContractToAdmit,
} from './admission/admit-contract.js'
export { type InputShapes, MOST_INPUT_BYTES } from './admission/schemas.js'
export * from './audit/index.js'
export * from './bundle/index.js'
export { agentVaultBits } from './capacity/agentvault-bits.js'
export { capacityAdvisories } from './capacity/capacity-advisories.js'
export { capacityOf } from './capacity/capacity-of.js'
export { checkOutput } from './capacity/check-output.js'
export { type CapacityRow, explainCapacity } from './capacity/explain-capacity.js'
export { type CompiledOutput, compileOutputSchema, type OutputShape } from './capacity/output-shape.js'
export { OutputShapeCache } from './capacity/output-shape-cache.js'
export { type CompiledProgram, compileProgram } from './cel/compile-program.js'
export { type Evaluation, evaluateProgram, type ProgramInputs } from './cel/evaluate-program.js'
export type { FaultCode } from './cel/fault.js'
export type { ProgramCode } from './cel/program-code.js'
export {
  type DraftToGuard,
  type GuardDecision,
  guardDraft,
  guardOutput,
  type OutputToGuard,
} from './guard-draft.js'
export * from './classification/index.js'
export * from './egress/index.js'
export * from './grants/index.js'
export * from './gate/index.js'
export * from './ingress/index.js'
export { checkInput, type CompiledInput, compileInputSchema, type InputShape } from './input/input-shape.js'
export {
  type Budget,
  type BudgetCode,
  type BudgetStep,
  debitCharge,
  openBudget,
  releaseCharge,
  reserveCharge,
  tightenLimit,
} from './ledger/budget.js'
export { type CarriedHead, checkHead, type HeadCheck, type KnownChain } from './ledger/check-head.js'
export {
  MOST_WINDOW_SECONDS,
  type RecentCharge,
  rememberCharge,
  type SpendingWindow,
  spentWithin,
  tightenWindow,
  tighterWindow,
  type WindowStep,
} from './ledger/window.js'
export type { Advisory } from './policy/advisory.js'
export { type GuardianPolicy, parseGuardianPolicy } from './policy/guardian-policy.js'
export { type NarrowedOutput, narrowOutput } from './policy/narrow-output.js'
export { applyOutputRules, type RuleCheck } from './policy/output-rules.js'
export type { PolicyRule } from './policy/policy-rule.js'
export * from './prompt/index.js'
export { describeRefused, type Refused } from './refused.js'
export * from './registry/index.js'
export type { ValueCheck, ValueCode } from './schema/check-value.js'
export type { SchemaCode } from './schema/schema-code.js'
