import type { EvaluationJob, Release } from '../release/release.js'

/**
 * Evaluates away from the thread that answers requests. How long an evaluation takes may depend on its inputs, and a
 * thread that is busy answers nobody: the host would read the duration off the relay's own `/health`.
 */
export type Evaluator = {
  /**
   * Runs one job; jobs run one after another, in the order in which they were asked for.
   * @throws RelayError evaluator_failed if the evaluator died or took longer than any evaluation may
   */
  readonly evaluate: (job: EvaluationJob) => Promise<Release>
  /** Ends it, and whatever it is at. */
  readonly close: () => Promise<void>
}
