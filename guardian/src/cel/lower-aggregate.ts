import type { ASTNode } from '@marcbachmann/cel-js'
import type { CelValue } from './cel-value.js'
import { EXHAUSTED, Fault } from './fault.js'
import type { ProgramSite } from './site.js'
import { type Lowered, type Step, strictly } from './step.js'

/** `[a, b]`. */
export const lowerList = (items: readonly ASTNode[], site: ProgramSite): Lowered => {
  const steps = items.map((item) => site.lower(item).step)
  return {
    step: strictly(steps, (values, meter) => (meter.spend(values.length) ? values : EXHAUSTED)),
    kind: 'list',
  }
}

/** `{"a": x}`. Keys are written out, once each: which members a result has never depends on an input. */
export const lowerMap = (entries: readonly (readonly [ASTNode, ASTNode])[], site: ProgramSite): Lowered => {
  const members = new Map<string, Step>()
  for (const [key, value] of entries) {
    if (key.op !== 'value' || typeof key.args !== 'string') return site.refuse('value_unsupported')
    if (members.has(key.args)) return site.refuse('program_malformed')
    members.set(key.args, site.lower(value).step)
  }
  // In canonical order, as inputs are, so that a loop over keys has one order everywhere.
  return { step: buildMap([...members].sort(([a], [b]) => (a < b ? -1 : 1))), kind: 'map' }
}

const buildMap =
  (members: readonly (readonly [string, Step])[]): Step =>
  (scope, meter) => {
    if (!meter.spend(members.length)) return EXHAUSTED
    const map = new Map<string, CelValue>()
    for (const [name, step] of members) {
      const value = step(scope, meter)
      if (value instanceof Fault) return value
      map.set(name, value)
    }
    return map
  }
