import { type Contract, type ContractProgram, hash } from '@parley/protocol'
import { type CompiledProgram, compileProgram } from '../cel/compile-program.js'
import type { ProgramCode } from '../cel/program-code.js'
import { below, type Refused, refused } from '../refused.js'

/** Why a contract's evaluator is refused. The union is closed. */
export type EvaluatorCode =
  | 'evaluator_unavailable'
  /** A member that this evaluator would ignore: nobody may believe that it holds. */
  | 'member_not_applicable'
  | 'program_missing'
  | 'program_hash_mismatch'
  | ProgramCode

/** A program and its content address. */
export type AdmittedProgram = { readonly program: CompiledProgram; readonly program_hash: string }

const MODEL_MEMBERS = [
  'prompt_template_hash',
  'model_profile_id',
  'model_profile_hash',
  'model_constraints',
  'max_completion_tokens',
  'timing_class',
] as const

/** Admits a contract that is evaluated by its own CEL program, the one evaluator of this version. */
export const admitEvaluator = (
  contract: Contract,
): ({ readonly ok: true } & AdmittedProgram) | Refused<EvaluatorCode> => {
  if (contract.evaluator !== 'cel') return refused('evaluator_unavailable', '/evaluator')
  const idle = MODEL_MEMBERS.find((member) => (contract[member] ?? null) !== null)
  if (idle !== undefined) return refused('member_not_applicable', `/${idle}`)
  if (contract.program === undefined) return refused('program_missing', '/program')
  return admitProgram(contract.program, contract.program_hash)
}

const admitProgram = (
  program: ContractProgram,
  named: string | undefined,
): ({ readonly ok: true } & AdmittedProgram) | Refused<EvaluatorCode> => {
  const program_hash = hash(program)
  if (named !== undefined && named !== program_hash) return refused('program_hash_mismatch', '/program_hash')
  const compiled = compileProgram(program)
  return compiled.ok ? { ok: true, program: compiled.program, program_hash } : below('/program', compiled)
}
