import { type CelValue, isKind } from './cel-value.js'
import { EXHAUSTED, FAILED, Fault } from './fault.js'
import type { Meter } from './meter.js'
import type { Outcome, Scope, Step } from './step.js'

/** `range.macro(name, …)`: a list's items, or a map's keys in canonical order, and the name's place in the scope. */
export type Loop = { readonly range: Step; readonly place: number }

/** What a loop does with one element: undefined to go on, anything else ends it. */
type Visit = (element: CelValue) => Outcome | undefined

/** `all` (decided by false) and `exists` (decided by true). As with `&&` and `||`, a decision wins over errors. */
export const quantifier =
  (deciding: boolean, loop: Loop, predicate: Step): Step =>
  (scope, meter) => {
    let error: Fault | null = null
    const visit: Visit = () => {
      const holds = predicate(scope, meter)
      if (holds === deciding || holds === EXHAUSTED) return holds
      if (typeof holds !== 'boolean') error = FAILED
      return undefined
    }
    return iterate(loop, scope, meter, visit, () => error ?? !deciding)
  }

/** `exists_one`: true where exactly one element passes; any error is the result. */
export const existsOne =
  (loop: Loop, predicate: Step): Step =>
  (scope, meter) => {
    let passed = 0
    const visit: Visit = () => {
      const holds = predicate(scope, meter)
      if (typeof holds !== 'boolean') return faultOf(holds)
      if (holds) passed++
      return undefined
    }
    return iterate(loop, scope, meter, visit, () => passed === 1)
  }

/** `map` and `filter`: elements that pass, transformed. */
export const collect =
  (loop: Loop, predicate: Step | null, transform: Step | null): Step =>
  (scope, meter) => {
    const collected: CelValue[] = []
    const visit: Visit = (element) => {
      const holds = predicate === null || predicate(scope, meter)
      if (typeof holds !== 'boolean') return faultOf(holds)
      const value = holds && transform !== null ? transform(scope, meter) : element
      if (value instanceof Fault) return value
      if (holds) collected.push(value)
      return undefined
    }
    return iterate(loop, scope, meter, visit, () => collected)
  }

const faultOf = (outcome: Outcome): Fault => (outcome instanceof Fault ? outcome : FAILED)

const iterate = (loop: Loop, scope: Scope, meter: Meter, visit: Visit, end: () => Outcome): Outcome => {
  const range = loop.range(scope, meter)
  if (range instanceof Fault) return range
  const elements = elementsOf(range)
  if (elements === null) return FAILED
  for (const element of elements) {
    if (!meter.spend(1)) return EXHAUSTED
    scope[loop.place] = element
    const outcome = visit(element)
    if (outcome !== undefined) return outcome
  }
  return end()
}

const elementsOf = (range: CelValue): Iterable<CelValue> | null => {
  if (isKind(range, 'list')) return range
  return isKind(range, 'map') ? range.keys() : null
}
