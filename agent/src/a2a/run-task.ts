import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  type A2aEvent,
  type AdmittedTask,
  type Attachment,
  filterResult,
  type FilteredResult,
  frameTask,
  type IngressPorts,
  loggedId,
  type Outcome,
  parseWorkerOutput,
} from '@parley/guardian'
import { toHex } from '@parley/protocol'
import { harvest } from './harvest.js'
import { type Scratch, unpack, withScratch } from './scratch.js'
import type { Turns } from './turns.js'
import type { WorkGate } from './work-gate.js'
import type { Worker, WorkerTask } from './worker.js'

const FRAME_BYTES = 16

/** What running a task takes. */
export type TaskRunner = {
  readonly worker: Worker
  readonly gate: Pick<WorkGate, 'pass'>
  readonly audit: IngressPorts['audit']
  readonly scratchRoot: string
  readonly turns: Turns
}

type Worked = {
  readonly status: 'ok' | 'filtered'
  readonly data: FilteredResult['data']
  readonly attachments: Attachment[]
}

/** What became of a task, of which nothing has left yet. */
export type TaskResult = { readonly status: 'timeout' } | Worked

/**
 * Takes an admitted task through the effect gate, which lets its worker run in a folder of its own, or does not, until the
 * task's life is over. That a worker starts is on record before it does. A worker that fails has printed nothing: there
 * is never an answer that it did not give.
 * @param stop the end of the task's life
 * @throws Error where the gate did not let it run, or not everything could be recorded
 */
export const runTask = async (
  runner: TaskRunner,
  admitted: AdmittedTask,
  stop: AbortSignal,
): Promise<TaskResult> => {
  let working: Promise<Worked | null> | undefined
  const work = async (told: AbortSignal): Promise<void> => {
    const ends = AbortSignal.any([stop, told])
    working = runner.turns.during(ends, () =>
      withScratch(runner.scratchRoot, (scratch) => workIn(runner, admitted, scratch, ends)),
    )
    if ((await working) === null) throw new Error('the worker failed')
  }
  const outcome = await runner.gate.pass(admitted, runner.worker.engine_id, work, stop)
  return resultOf(outcome, working)
}

/** The gate's word counts, and not before whatever it let begin has left its folder. */
const resultOf = async (
  { kind }: Outcome,
  working: Promise<Worked | null> | undefined,
): Promise<TaskResult> => {
  if (kind === 'cancelled') {
    await working?.catch(() => undefined)
    return { status: 'timeout' }
  }
  const worked = await working
  if (kind === 'completed' && worked != null) return worked
  if (kind === 'failed' && worked === null) return { status: 'filtered', data: {}, attachments: [] }
  throw new Error(`the gate did not let the task through: ${kind}`)
}

/** What a worker came to; null where it failed. */
const workIn = async (
  { worker, audit }: TaskRunner,
  admitted: AdmittedTask,
  scratch: Scratch,
  stop: AbortSignal,
): Promise<Worked | null> => {
  const { task, classification, attachments } = admitted
  await unpack(scratch, attachments)
  await audit.append(spawned(admitted, worker))
  stop.throwIfAborted()
  const printed = await unlessStopped(stop, worker.run(workerTask(admitted, scratch), stop))
  const { data, passed, rejected } = filterResult(parseWorkerOutput(printed ?? ''), task.result_schema)
  const files = printed === null ? [] : await harvest(scratch.out, task.result_schema, classification)
  await audit.append({
    event: 'A2A.result_filtered',
    fields: {
      task_id: loggedId(task.task_id),
      filter_pass_count: passed,
      filter_reject_count: rejected,
    },
  })
  if (printed === null) return null
  return { status: passed + files.length > 0 ? 'ok' : 'filtered', data, attachments: files }
}

/** What a worker printed; null where it failed. Rejects when the task's life is over, whether the worker heeds it or not. */
const unlessStopped = async (stop: AbortSignal, running: Promise<string>): Promise<string | null> => {
  const done = new AbortController()
  const over = once(stop, 'abort', { signal: done.signal }).catch(() => undefined)
  try {
    const printed = await Promise.race([running.catch(() => null), over.then(() => null)])
    stop.throwIfAborted()
    return printed
  } finally {
    // A signal that somebody listens to stays in memory.
    done.abort()
  }
}

const workerTask = (admitted: AdmittedTask, scratch: Scratch): WorkerTask => {
  const { task, instruction, rights, classification } = admitted
  const { task_id, origin_id, purpose_id = null, result_schema } = task
  const frame = toHex(randomBytes(FRAME_BYTES))
  const framed = frameTask({ origin_id, task_id, instruction, frame })
  return { task_id, origin_id, purpose_id, framed, result_schema, rights, classification, scratch }
}

const spawned = ({ task, rights }: AdmittedTask, { engine_id }: Worker): A2aEvent => ({
  event: 'A2A.engine_spawned',
  fields: {
    task_id: loggedId(task.task_id),
    engine_id,
    persona: loggedId(rights.persona ?? ''),
    channel: 'a2a',
    chat_key: loggedId(task.origin_id),
  },
})
