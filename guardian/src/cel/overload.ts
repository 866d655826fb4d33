import { type CelValue, isKind, type Kind, type OfKind } from './cel-value.js'
import { FAILED } from './fault.js'
import type { Meter } from './meter.js'
import type { Outcome } from './step.js'

/** One signature of an operator or function: the type check reads it, and evaluation dispatches by it. */
export type Overload = {
  readonly takes: readonly Kind[]
  readonly gives: Kind
  /** Undefined where the values are of other kinds. */
  readonly apply: (values: readonly CelValue[], meter: Meter) => Outcome | undefined
}

/** A signature of one operand. */
export const unary = <A extends Kind>(
  a: A,
  gives: Kind,
  run: (a: OfKind<A>, meter: Meter) => Outcome,
): Overload => ({
  takes: [a],
  gives,
  apply: ([value], meter) => (value !== undefined && isKind(value, a) ? run(value, meter) : undefined),
})

/** A signature of two operands. */
export const binary = <A extends Kind, B extends Kind>(
  a: A,
  b: B,
  gives: Kind,
  run: (a: OfKind<A>, b: OfKind<B>, meter: Meter) => Outcome,
): Overload => ({
  takes: [a, b],
  gives,
  apply: ([left, right], meter) =>
    left !== undefined && right !== undefined && isKind(left, a) && isKind(right, b)
      ? run(left, right, meter)
      : undefined,
})

/** Runs the signature that fits the values. */
export const dispatch = (
  overloads: readonly Overload[],
  values: readonly CelValue[],
  meter: Meter,
): Outcome => {
  for (const overload of overloads) {
    const outcome = overload.apply(values, meter)
    if (outcome !== undefined) return outcome
  }
  return FAILED
}

/** The kind of a call's result, or null where no signature can ever fit these operands. */
export const resultKind = (overloads: readonly Overload[], operands: readonly Kind[]): Kind | null => {
  const fitting = overloads.filter(({ takes }) => takes.every((kind, i) => mayBe(operands[i] ?? 'dyn', kind)))
  const [first] = fitting
  if (first === undefined) return null
  return fitting.every(({ gives }) => gives === first.gives) ? first.gives : 'dyn'
}

/** True where an expression of one kind may turn out to be of the other. */
export const mayBe = (known: Kind, wanted: Kind): boolean =>
  known === wanted || known === 'dyn' || wanted === 'dyn'
