import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { evaluate } from '../../src/release/release.js'

/** Evaluates at once and in place, for tests whose clock does not run. */
export const inProcessEvaluator: Evaluator = {
  evaluate: (job) => Promise.resolve(evaluate(job)),
  close: () => Promise.resolve(),
}
