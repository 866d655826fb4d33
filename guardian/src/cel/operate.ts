import { dispatch, type Overload, resultKind } from './overload.js'
import type { ProgramSite } from './site.js'
import { type Lowered, strictly } from './step.js'

/** Applies an operator or function to lowered operands; refused where no signature can ever fit. */
export const operate = (
  overloads: readonly Overload[],
  operands: readonly Lowered[],
  site: ProgramSite,
): Lowered => {
  const kind = resultKind(
    overloads,
    operands.map((operand) => operand.kind),
  )
  if (kind === null) return site.refuse('program_ill_typed')
  const steps = operands.map((operand) => operand.step)
  return { step: strictly(steps, (values, meter) => dispatch(overloads, values, meter)), kind }
}
