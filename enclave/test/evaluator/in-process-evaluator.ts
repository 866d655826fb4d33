import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { judge } from '../../src/release/draft-job.js'
import { assemble } from '../../src/release/prompt-job.js'
import { evaluate } from '../../src/release/release.js'

/** Evaluates at once and in place, for tests whose clock does not run. */
export const inProcessEvaluator: Evaluator = {
  evaluate: (job) => Promise.resolve(evaluate(job)),
  assemble: (job) => Promise.resolve(assemble(job)),
  judge: (job) => Promise.resolve(judge(job)),
  close: () => Promise.resolve(),
}
