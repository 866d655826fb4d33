import type { ASTNode } from '@marcbachmann/cel-js'
import { FirstRefusal } from '../first-refusal.js'
import type { Refused } from '../refused.js'
import { FAILED } from './fault.js'
import { lowerNode } from './lower-node.js'
import type { ProgramCode } from './program-code.js'
import type { ProgramSite } from './site.js'
import { type Lowered, metered } from './step.js'

/** Expressions may nest this deep, so that no program can exhaust the stack. */
const MAX_DEPTH = 256

/**
 * Turns a parsed program into steps of our own, which count their cost and know only int64, strings, booleans,
 * null, lists and maps. Names, functions and types are checked on the way.
 * @param names what the program may see
 */
export const lowerProgram = (
  program: ASTNode,
  names: readonly string[],
): { readonly ok: true; readonly lowered: Lowered } | Refused<ProgramCode> => {
  const refusals = new FirstRefusal<ProgramCode>()
  const lowered = lowerAt(program, names, 0, refusals)
  return refusals.found ?? { ok: true, lowered }
}

const lowerAt = (
  node: ASTNode,
  names: readonly string[],
  depth: number,
  refusals: FirstRefusal<ProgramCode>,
): Lowered => {
  const refuse: ProgramSite['refuse'] = (code) => {
    refusals.refuse(code, '/source')
    return { step: () => FAILED, kind: 'dyn' }
  }
  if (depth === MAX_DEPTH) return refuse('program_malformed')
  const lower: ProgramSite['lower'] = (child, ...bound) =>
    lowerAt(child, [...names, ...bound], depth + 1, refusals)
  const { step, kind } = lowerNode(node, { names, refuse, lower })
  return { step: metered(step), kind }
}
