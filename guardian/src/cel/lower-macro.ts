import type { ASTNode } from '@marcbachmann/cel-js'
import type { Kind } from './cel-value.js'
import { collect, existsOne, type Loop, quantifier } from './comprehension.js'
import { Fault } from './fault.js'
import { mayBe } from './overload.js'
import type { ProgramSite } from './site.js'
import type { Lowered, Step } from './step.js'

type LoopMacro = {
  readonly kind: Kind
  /** Whether the first expression after the variable decides, and so must be a bool. */
  readonly tests: boolean
  readonly build: (loop: Loop, first: Step, second: Step) => Step
}

/** By name and number of arguments. */
const LOOPS: ReadonlyMap<string, LoopMacro> = new Map<string, LoopMacro>([
  ['all/2', { kind: 'bool', tests: true, build: (loop, test) => quantifier(false, loop, test) }],
  ['exists/2', { kind: 'bool', tests: true, build: (loop, test) => quantifier(true, loop, test) }],
  ['exists_one/2', { kind: 'bool', tests: true, build: (loop, test) => existsOne(loop, test) }],
  ['filter/2', { kind: 'list', tests: true, build: (loop, test) => collect(loop, test, null) }],
  ['map/2', { kind: 'list', tests: false, build: (loop, transform) => collect(loop, null, transform) }],
  ['map/3', { kind: 'list', tests: true, build: (loop, test, transform) => collect(loop, test, transform) }],
])

/** `range.all(name, …)` and its like, and `cel.bind(name, value, expression)`. */
export const lowerMacro = (
  macro: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  site: ProgramSite,
): Lowered => {
  const [variable, first, second] = args
  if (variable?.op !== 'id' || first === undefined) return site.refuse('function_unknown')
  const call = `${macro}/${args.length}`
  if (call === 'bind/3' && second !== undefined && receiver.op === 'id' && receiver.args === 'cel')
    return lowerBind(variable.args, first, second, site)
  const loop = LOOPS.get(call)
  if (loop === undefined) return site.refuse('function_unknown')
  return lowerLoop(loop, site.lower(receiver), variable.args, [first, second ?? first], site)
}

const lowerLoop = (
  { kind, tests, build }: LoopMacro,
  range: Lowered,
  name: string,
  [first, second]: readonly [ASTNode, ASTNode],
  site: ProgramSite,
): Lowered => {
  const one = site.lower(first, name)
  const other = site.lower(second, name)
  const iterable = mayBe(range.kind, 'list') || mayBe(range.kind, 'map')
  if (!iterable || (tests && !mayBe(one.kind, 'bool'))) return site.refuse('program_ill_typed')
  return { step: build({ range: range.step, place: site.names.length }, one.step, other.step), kind }
}

const lowerBind = (name: string, bound: ASTNode, expression: ASTNode, site: ProgramSite): Lowered => {
  const value = site.lower(bound)
  const inner = site.lower(expression, name)
  const place = site.names.length
  const step: Step = (scope, meter) => {
    const found = value.step(scope, meter)
    if (found instanceof Fault) return found
    scope[place] = found
    return inner.step(scope, meter)
  }
  return { step, kind: inner.kind }
}
