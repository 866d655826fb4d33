import { type Contract, type ContractProgram, hash } from '@parley/protocol'
import { type CompiledProgram, compileProgram } from '../cel/compile-program.js'
import type { ProgramCode } from '../cel/program-code.js'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import { below, type Refused, refused } from '../refused.js'
import type { Registry } from '../registry/registry.js'
import { type AdmittedModel, admitModel, type ModelCode } from './model.js'

/** What evaluates a contract: its own CEL program, a provider's model, or a model server inside the VM. */
export type Evaluator = NonNullable<Contract['evaluator']>

/** Why a contract's evaluator is refused. The union is closed. */
export type EvaluatorCode =
  | 'evaluator_unavailable'
  /** A member that this evaluator would ignore: nobody may believe that it holds. */
  | 'member_not_applicable'
  | 'program_missing'
  | 'program_hash_mismatch'
  | ProgramCode
  | ModelCode

/** What is to be run: a program with evaluator `cel`, a model with the others, never both. */
export type AdmittedEvaluator = {
  readonly evaluator: Evaluator
  readonly program: CompiledProgram | null
  /** The content address of the CEL program. */
  readonly program_hash: string | null
  readonly model: AdmittedModel | null
}

type Admitted = { readonly ok: true; readonly admitted: AdmittedEvaluator } | Refused<EvaluatorCode>

// Nothing holds a timing class but the release slots, which every session has.
const IDLE_WITH_CEL = [
  'prompt_template_hash',
  'model_profile_id',
  'model_profile_hash',
  'model_constraints',
  'max_completion_tokens',
  'timing_class',
] as const
const IDLE_WITH_MODEL = ['program', 'program_hash', 'timing_class'] as const

/** Admits what a contract is evaluated by. A contract that does not say is AgentVault's: a model. */
export const admitEvaluator = (asked: {
  readonly contract: Contract
  readonly policy: GuardianPolicy
  readonly registry: Registry
  readonly evaluators: readonly Evaluator[]
}): Admitted => {
  const { contract, evaluators } = asked
  const { evaluator = 'llm' } = contract
  if (!evaluators.includes(evaluator)) return refused('evaluator_unavailable', '/evaluator', evaluator)
  const members = evaluator === 'cel' ? IDLE_WITH_CEL : IDLE_WITH_MODEL
  const idle = members.find((member) => (contract[member] ?? null) !== null)
  if (idle !== undefined) return refused('member_not_applicable', `/${idle}`)
  return evaluator === 'cel' ? admitCel(contract) : admitByModel(evaluator, asked)
}

const admitByModel = (
  evaluator: 'llm' | 'local',
  asked: { readonly contract: Contract; readonly policy: GuardianPolicy; readonly registry: Registry },
): Admitted => {
  const model = admitModel({ evaluator, ...asked })
  if (!model.ok) return model
  return { ok: true, admitted: { evaluator, program: null, program_hash: null, model: model.model } }
}

const admitCel = (contract: Contract): Admitted => {
  const { program, program_hash: named } = contract
  if (program === undefined) return refused('program_missing', '/program')
  const program_hash = hash(program)
  if (named !== undefined && named !== program_hash) return refused('program_hash_mismatch', '/program_hash')
  return compiled(program, program_hash, contract.participants.length)
}

const compiled = (program: ContractProgram, program_hash: string, participants: number): Admitted => {
  const done = compileProgram(program, participants)
  if (!done.ok) return below('/program', done)
  return { ok: true, admitted: { evaluator: 'cel', program: done.program, program_hash, model: null } }
}
