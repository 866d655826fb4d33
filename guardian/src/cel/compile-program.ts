import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { type ContractProgram, FEWEST_PARTICIPANTS, type Role, rolesOf } from '@parley/protocol'
import { type Refused, refused } from '../refused.js'
import { lowerProgram } from './lower-program.js'
import type { ProgramCode } from './program-code.js'
import type { Step } from './step.js'

/** A program that may run: parsed, its names and types checked, its cost limited. */
export type CompiledProgram = {
  readonly step: Step
  readonly costLimit: number
  /** The roles whose inputs it sees, each under its role's name. */
  readonly roles: readonly Role[]
}

const LIMITS = {
  maxAstNodes: 4096,
  maxDepth: 128,
  maxListElements: 1024,
  maxMapEntries: 256,
  maxCallArguments: 8,
}

/**
 * Compiles a contract's program. It sees the inputs as JSON, each under its role's name, and nothing else: no clock, no
 * randomness, no regular expressions. Never throws.
 * @param participants how many the contract has
 * @see protocol SPEC §6 for the functions, and for the cost of each step
 */
export const compileProgram = (
  program: ContractProgram,
  participants: number = FEWEST_PARTICIPANTS,
): { readonly ok: true; readonly program: CompiledProgram } | Refused<ProgramCode> => {
  const parsed = parse(program.source)
  if (parsed === null) return refused('program_malformed', '/source')
  const roles = rolesOf(participants)
  const lowered = lowerProgram(parsed, roles)
  if (!lowered.ok) return lowered
  return { ok: true, program: { step: lowered.lowered.step, costLimit: program.cost_limit, roles } }
}

/**
 * Only the parser of cel-js is used: its evaluator has no cost limit. An environment is made for each program
 * and given a function of its own, which detaches it from the tables that all environments share and in
 * which the parser would keep every function name that it ever meets.
 */
const parse = (source: string): ASTNode | null => {
  try {
    return new Environment({ limits: LIMITS }).registerFunction('parley(): null', () => null).parse(source)
      .ast
  } catch {
    // Its ParseError, or a RangeError of a source that nests thousands deep.
    return null
  }
}
