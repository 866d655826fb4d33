import { canonicalBytes } from '@parley/protocol'
import { JSON_TYPE } from '@parley/protocol'
import { Hono } from 'hono'
import type { Received } from './receive-task.js'
import type { ReceiverClock } from './receiver-clock.js'
import { TASK_PATH } from './task-url.js'

/** Milliseconds from a request's last octet to a rejection, and whole multiples of it. */
const TICK_MS = 250

/** A receiver's routes; a request's body comes beside it. */
export type TaskApp = Hono<{ Bindings: { readonly body: Uint8Array } }>

/** What the routes lead to. */
export type TaskAppServices = {
  readonly receive: (body: Uint8Array) => Promise<Received>
  readonly instance_id: string
  readonly clock: ReceiverClock
}

/**
 * The routes of a receiver. A rejection goes out on a tick that is counted from its request, so that the time it takes
 * tells nothing of its cause.
 */
export const createTaskApp = ({ receive, instance_id, clock }: TaskAppServices): TaskApp => {
  const app: TaskApp = new Hono()
  app.post(TASK_PATH, async (c) => {
    const startMs = clock.monotonicMs()
    const { isRejection, envelope } = await receive(c.env.body)
    if (isRejection) await clock.sleep(untilTick(clock.monotonicMs() - startMs))
    return json(200, envelope)
  })
  app.get('/healthz', () => json(200, { status: 'ok', instance_id }))
  app.notFound(() => json(404, {}))
  // What went wrong stays here: an exception's text may hold anything.
  app.onError(() => json(500, {}))
  return app
}

const untilTick = (elapsedMs: number): number =>
  Math.max(1, Math.ceil(elapsedMs / TICK_MS)) * TICK_MS - elapsedMs

const json = (status: number, value: Parameters<typeof canonicalBytes>[0]): Response => {
  const body = canonicalBytes(value)
  const headers = {
    'content-type': JSON_TYPE,
    'content-length': `${body.length}`,
    'cache-control': 'no-store',
  }
  return new Response(new Uint8Array(body), { status, headers })
}
