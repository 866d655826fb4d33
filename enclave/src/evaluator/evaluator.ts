import type { Prompt } from '@parley/guardian'
import type { DraftJob } from '../release/draft-job.js'
import type { PromptJob } from '../release/prompt-job.js'
import type { EvaluationJob, Release } from '../release/release.js'

/**
 * Evaluates away from the thread that answers requests. How long an evaluation takes may depend on its inputs, and a
 * thread that is busy answers nobody: the host would read the duration off the relay's own `/health`.
 */
export type Evaluator = {
  /**
   * Runs one program; jobs run one after another, in the order in which they were asked for.
   * @throws RelayError evaluator_failed if the evaluator died or took longer than any evaluation may
   */
  readonly evaluate: (job: EvaluationJob) => Promise<Release>
  /** Assembles one prompt, likewise; null where it cannot be. @throws RelayError evaluator_failed */
  readonly assemble: (job: PromptJob) => Promise<Prompt | null>
  /** Judges what a model said, likewise. @throws RelayError evaluator_failed */
  readonly judge: (job: DraftJob) => Promise<Release>
  /** Ends it, and whatever it is at. */
  readonly close: () => Promise<void>
}
