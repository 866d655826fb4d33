import type { CelValue, Kind } from './cel-value.js'
import { EXHAUSTED, Fault } from './fault.js'
import type { Meter } from './meter.js'

/**
 * The values of the names in sight, outermost first. Which place a name has is settled before the program runs, so
 * that reading one takes the same time under one binding and under a hundred. A binding writes its own place and
 * only what it encloses reads it: one array serves a whole evaluation.
 */
export type Scope = CelValue[]

/** A value, or the error that took its place. */
export type Outcome = CelValue | Fault

/** One expression, ready to run. */
export type Step = (scope: Scope, meter: Meter) => Outcome

/** A compiled expression and what is known of its type. */
export type Lowered = { readonly step: Step; readonly kind: Kind }

/** An expression that pays one unit each time it runs. */
export const metered =
  (step: Step): Step =>
  (scope, meter) =>
    meter.spend(1) ? step(scope, meter) : EXHAUSTED

/** Evaluates operands from left to right, up to the first error, and hands on their values. */
export const strictly =
  (operands: readonly Step[], apply: (values: readonly CelValue[], meter: Meter) => Outcome): Step =>
  (scope, meter) => {
    const values: CelValue[] = []
    for (const operand of operands) {
      const value = operand(scope, meter)
      if (value instanceof Fault) return value
      values.push(value)
    }
    return apply(values, meter)
  }
