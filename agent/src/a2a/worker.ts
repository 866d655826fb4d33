import type { Classification, ConnectionRights, FramedTask } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'
import type { Scratch } from './scratch.js'

/** An admitted task as its worker sees it: no key, no nonce, no signature. */
export type WorkerTask = {
  readonly task_id: string
  readonly origin_id: string
  readonly purpose_id: string | null
  /** The sanitised instruction in its frame, and what the frame means. */
  readonly framed: FramedTask
  readonly result_schema: JsonObject
  /** What the connection grants. Whoever runs tools for the worker enforces them. */
  readonly rights: ConnectionRights
  readonly classification: Classification
  readonly scratch: Scratch
}

/** What works on tasks. */
export type Worker = {
  /** Its name in the log. */
  readonly engine_id: string
  /** The strictest label that it may see. */
  readonly most: Classification
  /**
   * Works until it is done or told to stop; what it prints is an intent, of which the result filter lets through what the
   * task's schema declares.
   */
  readonly run: (task: WorkerTask, stop: AbortSignal) => Promise<string>
}
