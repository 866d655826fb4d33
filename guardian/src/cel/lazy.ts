import { EXHAUSTED, FAILED, Fault } from './fault.js'
import type { Step } from './step.js'

/**
 * `||` (decided by true) and `&&` (decided by false): the deciding value wins over an error on the other side,
 * whichever side it stands on.
 */
export const logical =
  (deciding: boolean, left: Step, right: Step): Step =>
  (scope, meter) => {
    const first = left(scope, meter)
    if (first === deciding || first === EXHAUSTED) return first
    const second = right(scope, meter)
    if (second === deciding || second === EXHAUSTED) return second
    return typeof first === 'boolean' && typeof second === 'boolean' ? !deciding : FAILED
  }

/** `condition ? yes : no`; the branch not taken costs nothing. */
export const conditional =
  (condition: Step, yes: Step, no: Step): Step =>
  (scope, meter) => {
    const holds = condition(scope, meter)
    if (typeof holds === 'boolean') return (holds ? yes : no)(scope, meter)
    return holds instanceof Fault ? holds : FAILED
  }
