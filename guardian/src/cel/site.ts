import type { ASTNode } from '@marcbachmann/cel-js'
import type { ProgramCode } from './program-code.js'
import type { Lowered } from './step.js'

/** One expression in its place, as the lowerings see it. */
export type ProgramSite = {
  /** The names in sight, outermost first: each stands where its value will stand in the scope. */
  readonly names: readonly string[]
  /** Notes why the program is refused; what it returns can only fail. */
  readonly refuse: (code: ProgramCode) => Lowered
  /** Lowers an expression below this one, with more names in sight. */
  readonly lower: (node: ASTNode, ...bound: readonly string[]) => Lowered
}
