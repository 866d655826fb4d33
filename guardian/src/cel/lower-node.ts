import type { ASTNode } from '@marcbachmann/cel-js'
import { type CelValue, isInt64, kindOf } from './cel-value.js'
import { conditional, logical } from './lazy.js'
import { lowerList, lowerMap } from './lower-aggregate.js'
import { lowerCall, lowerMethod } from './lower-call.js'
import { operate } from './operate.js'
import { BINARY, INDEX, MEMBER, UNARY } from './operators.js'
import { mayBe } from './overload.js'
import type { ProgramSite } from './site.js'
import type { Lowered } from './step.js'

/** Lowers one expression. The operators are a closed list: what the parser may learn one day is refused here. */
export const lowerNode = (node: ASTNode, site: ProgramSite): Lowered => {
  const lowerAll = (nodes: readonly ASTNode[]) => nodes.map((child) => site.lower(child))
  switch (node.op) {
    case 'value':
      return lowerLiteral(node.args, site)
    case 'id':
      return lowerName(node.args, site)
    case '.':
      return operate(MEMBER, [site.lower(node.args[0]), literal(node.args[1])], site)
    case '[]':
      return operate(INDEX, lowerAll(node.args), site)
    case '!_':
    case '-_':
      return operate(UNARY[node.op], [site.lower(node.args)], site)
    case '||':
    case '&&':
      return lowerLogical(node.op === '||', lowerAll(node.args), site)
    case '?:':
      return lowerConditional(node.args, site)
    case 'list':
      return lowerList(node.args, site)
    case 'map':
      return lowerMap(node.args, site)
    case 'call':
      return lowerCall(node.args, site)
    case 'rcall':
      return lowerMethod(node.args, site)
    case '.?':
    case '[?]':
      return site.refuse('program_malformed')
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
      return operate(BINARY[node.op], lowerAll(node.args), site)
  }
}

const lowerLiteral = (value: unknown, site: ProgramSite): Lowered => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return literal(value)
  return typeof value === 'bigint' && isInt64(value) ? literal(value) : site.refuse('value_unsupported')
}

const literal = (value: CelValue): Lowered => ({ step: () => value, kind: kindOf(value) })

const lowerName = (name: string, site: ProgramSite): Lowered => {
  // The innermost of that name: it hides the others.
  const place = site.names.lastIndexOf(name)
  return place < 0 ? site.refuse('name_unknown') : { step: (scope) => scope[place] ?? null, kind: 'dyn' }
}

const lowerLogical = (deciding: boolean, [left, right]: readonly Lowered[], site: ProgramSite): Lowered => {
  if (left === undefined || right === undefined) return site.refuse('program_malformed')
  if (!mayBe(left.kind, 'bool') || !mayBe(right.kind, 'bool')) return site.refuse('program_ill_typed')
  return { step: logical(deciding, left.step, right.step), kind: 'bool' }
}

const lowerConditional = (
  [condition, yes, no]: readonly [ASTNode, ASTNode, ASTNode],
  site: ProgramSite,
): Lowered => {
  const holds = site.lower(condition)
  const one = site.lower(yes)
  const other = site.lower(no)
  if (!mayBe(holds.kind, 'bool')) return site.refuse('program_ill_typed')
  return {
    step: conditional(holds.step, one.step, other.step),
    kind: one.kind === other.kind ? one.kind : 'dyn',
  }
}
