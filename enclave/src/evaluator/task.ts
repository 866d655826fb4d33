import type { Prompt } from '@parley/guardian'
import { type DraftJob, judge } from '../release/draft-job.js'
import { assemble, type PromptJob } from '../release/prompt-job.js'
import { type EvaluationJob, evaluate, type Release } from '../release/release.js'

/** What an evaluation thread can be asked for: everything that reads inputs and takes a time that they choose. */
export type Task =
  | { readonly kind: 'evaluate'; readonly job: EvaluationJob }
  | { readonly kind: 'assemble'; readonly job: PromptJob }
  | { readonly kind: 'judge'; readonly job: DraftJob }

/** What becomes of a task. */
export type TaskResult<T extends Task> = T extends { readonly kind: 'assemble' } ? Prompt | null : Release

/** Does a task, where it stands. */
export function perform({ kind, job }: Task): Release | Prompt | null {
  switch (kind) {
    case 'evaluate':
      return evaluate(job)
    case 'assemble':
      return assemble(job)
    case 'judge':
      return judge(job)
  }
}
