import {
  type A2aEvent,
  type AdmittedTask,
  createTaskIngress,
  type IngressPorts,
  issueRejection,
  loggedId,
  type ResponseEnvelope,
  signAnswer,
  type TaskAnswer,
} from '@parley/guardian'
import type { ReceiverClock } from './receiver-clock.js'
import { runTask, type TaskRunner } from './run-task.js'
import { whileAlive } from './while-alive.js'

/** What a receiver works with. */
export type TaskReceiver = {
  readonly ports: IngressPorts
  /** null: whatever it is asked, no task runs here. */
  readonly runner: TaskRunner | null
  readonly clock: ReceiverClock
  /** Ends the tasks under way when the receiver closes. */
  readonly closing: AbortSignal
}

/** An answer, and whether it must look like every other one. */
export type Received = { readonly isRejection: boolean; readonly envelope: ResponseEnvelope }

/**
 * One task from its bytes to its answer: admitted, run, recorded, signed. Whatever fails on the way, also a log that can't
 * be written, gives the one rejection. It never rejects.
 */
export const createReceive = (receiver: TaskReceiver): ((body: Uint8Array) => Promise<Received>) => {
  const admit = createTaskIngress(receiver.ports)
  return async (body) => {
    const startMs = receiver.clock.monotonicMs()
    const admission = await admit(body)
    if (!admission.ok) return { isRejection: true, envelope: admission.rejection }
    const { admitted } = admission
    try {
      return { isRejection: false, envelope: await answer(receiver, admitted, startMs) }
    } catch {
      const request = { digest: admitted.digest, issued_at: receiver.ports.clock.nowSeconds() }
      return {
        isRejection: true,
        envelope: issueRejection(request, receiver.ports.receiver, admitted.recv_key),
      }
    }
  }
}

const answer = async (
  receiver: TaskReceiver,
  admitted: AdmittedTask,
  startMs: number,
): Promise<ResponseEnvelope> => {
  const { ports, clock } = receiver
  const result = await resultOf(receiver, admitted)
  const signed: TaskAnswer = {
    data: {},
    attachments: [],
    ...result,
    task_id: admitted.task.task_id,
    origin_id: admitted.origin.origin_id,
    issued_at: ports.clock.nowSeconds(),
    request_digest: admitted.digest,
  }
  const envelope = signAnswer(signed, ports.receiver, admitted.recv_key)
  await ports.audit.append(answered(admitted, envelope, clock.monotonicMs() - startMs))
  return envelope
}

/** An observer's task has done what it was for by being recorded. */
const resultOf = async (
  { runner, ports, closing }: TaskReceiver,
  admitted: AdmittedTask,
): Promise<Pick<TaskAnswer, 'status'> & Partial<Pick<TaskAnswer, 'data' | 'attachments'>>> => {
  const { task, rights } = admitted
  if (rights.mode === 'observer' || runner === null) return { status: 'ok' }
  const leftSeconds = Math.min(
    task.ttl_s,
    Math.max(0, task.issued_at + task.ttl_s - ports.clock.nowSeconds()),
  )
  return whileAlive(leftSeconds * 1000, closing, (stop) => runTask(runner, admitted, stop))
}

const answered = (
  { task }: AdmittedTask,
  { instance_id }: ResponseEnvelope,
  durationMs: number,
): A2aEvent => ({
  event: 'A2A.response_signed',
  fields: {
    task_id: loggedId(task.task_id),
    instance_id,
    endpoint_id: loggedId(task.origin_id),
    http_status: 200,
    duration_ms: Math.round(durationMs),
  },
})
