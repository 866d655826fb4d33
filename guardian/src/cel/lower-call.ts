import type { ASTNode } from '@marcbachmann/cel-js'
import { FUNCTIONS, METHODS } from './functions.js'
import { lowerMacro } from './lower-macro.js'
import { operate } from './operate.js'
import { HAS } from './operators.js'
import type { ProgramSite } from './site.js'
import type { Lowered } from './step.js'

/** `name(arguments)`, and the macro `has(map.member)`. */
export const lowerCall = (
  [name, args]: readonly [string, readonly ASTNode[]],
  site: ProgramSite,
): Lowered => {
  const [only] = args
  if (name === 'has' && args.length === 1 && only !== undefined) return lowerHas(only, site)
  const overloads = FUNCTIONS.get(`${name}/${args.length}`)
  if (overloads === undefined) return site.refuse('function_unknown')
  return operate(
    overloads,
    args.map((arg) => site.lower(arg)),
    site,
  )
}

const lowerHas = (selection: ASTNode, site: ProgramSite): Lowered => {
  if (selection.op !== '.') return site.refuse('program_malformed')
  const [receiver, name] = selection.args
  return operate(HAS, [site.lower(receiver), { step: () => name, kind: 'string' }], site)
}

/** `receiver.name(arguments)`, and the macros that loop or bind. */
export const lowerMethod = (
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  site: ProgramSite,
): Lowered => {
  const overloads = METHODS.get(`${name}/${args.length}`)
  if (overloads === undefined) return lowerMacro(name, receiver, args, site)
  return operate(
    overloads,
    [receiver, ...args].map((operand) => site.lower(operand)),
    site,
  )
}
