import type { Clock } from '../clock.js'
import { RelayError } from '../relay-error.js'
import { createSerial } from '../session/serial.js'
import { type EvaluationThread, startEvaluationThread } from './evaluation-thread.js'
import type { Evaluator } from './evaluator.js'
import type { Task, TaskResult } from './task.js'

/**
 * Hundreds of times what the highest cost limit takes. Time is the host's to give: a thread that it starves is no
 * outcome of a session, and its session ends as one whose commit fails does, without output, receipt or charge.
 */
const LONGEST_MS = 30_000

/**
 * An evaluator with a thread of its own, which stands before the first session comes; one that died is replaced.
 * @throws RelayError evaluator_failed if the thread does not start
 */
export async function openEvaluator(clock: Clock): Promise<Evaluator> {
  const timeUp = (): Promise<void> => clock.sleepUntil(clock.nowMs() + LONGEST_MS)
  const serial = createSerial()
  let thread: EvaluationThread = await startEvaluationThread(timeUp())
  let closed = false
  const run = <T extends Task>(task: T): Promise<TaskResult<T>> =>
    serial(async () => {
      if (closed) throw new RelayError('evaluator_failed', 'the evaluator is closed')
      if (thread.ended()) thread = await startEvaluationThread(timeUp())
      return thread.run(task, timeUp())
    })
  return {
    evaluate: (job) => run({ kind: 'evaluate', job }),
    assemble: (job) => run({ kind: 'assemble', job }),
    judge: (job) => run({ kind: 'judge', job }),
    close: async () => {
      closed = true
      await thread.end()
    },
  }
}
