import { Worker } from 'node:worker_threads'
import { RelayError } from '../relay-error.js'
import type { Task, TaskResult } from './task.js'

/** A thread that does one task at a time. */
export type EvaluationThread = {
  /**
   * Copies the task to the thread, which keeps nothing of it.
   * @param timeUp ends the thread if it resolves before the answer comes
   * @throws RelayError evaluator_failed; then the thread has ended
   */
  readonly run: <T extends Task>(task: T, timeUp: Promise<void>) => Promise<TaskResult<T>>
  readonly ended: () => boolean
  readonly end: () => Promise<void>
}

/**
 * Several times what the largest inputs, contract and cost limit can fill. An evaluation that met this limit would end
 * its session uncharged, and no input may choose that.
 */
const MEMORY = { maxOldGenerationSizeMb: 256 }

/** @throws RelayError evaluator_failed if the thread does not start in time */
export async function startEvaluationThread(timeUp: Promise<void>): Promise<EvaluationThread> {
  const worker = new Worker(new URL('./evaluation-worker.js', import.meta.url), {
    name: 'evaluation',
    env: {},
    // What a thread writes may be about an input: none of it reaches the relay's own streams.
    stdout: true,
    stderr: true,
    resourceLimits: MEMORY,
  })
  worker.unref()
  let ended = false
  const noteEnd = (): void => void (ended = true)
  worker.on('error', noteEnd).on('exit', noteEnd)
  const end = async (): Promise<void> => {
    noteEnd()
    await worker.terminate()
  }
  const asked = <Answer>(ask: () => void, late: Promise<void>): Promise<Answer> =>
    answerOf<Answer>(worker, ask, late).catch(async (error: unknown) => {
      await end()
      throw error
    })
  await asked<'ready'>(() => undefined, timeUp)
  return {
    run: <T extends Task>(task: T, late: Promise<void>) =>
      asked<TaskResult<T>>(() => {
        worker.postMessage(task)
      }, late),
    ended: () => ended,
    end,
  }
}

/** The thread's next message after what is asked now. Nothing waits for it afterwards that could hold what it says. */
const answerOf = <Answer>(worker: Worker, ask: () => void, timeUp: Promise<void>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const settled = (): void => void worker.off('message', answered).off('error', failed).off('exit', failed)
    const answered = (message: Answer): void => {
      settled()
      resolve(message)
    }
    const failed = (): void => {
      settled()
      // Whatever the thread died of may be about an input, and ends here.
      reject(new RelayError('evaluator_failed', 'the evaluation thread has ended or did not answer'))
    }
    worker.on('message', answered).on('error', failed).on('exit', failed)
    void timeUp.then(failed)
    ask()
  })
