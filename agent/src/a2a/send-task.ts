import { randomBytes, randomUUID } from 'node:crypto'
import {
  attach,
  checkAttachments,
  type CheckedResponse,
  checkResponse,
  type FileToAttach,
  filterResult,
  type IngressPorts,
  loggedId,
  readTask,
  type ResponseReason,
  sanitiseInstruction,
  signTask,
} from '@parley/guardian'
import { canonicalBytes, type JsonObject, type Lane, sha256, toHex } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { type Clock, nowSeconds } from '../clock.js'
import type { Identity } from '../identity.js'
import type { Endpoint } from './endpoint.js'
import { allowedNames } from './harvest.js'
import { postTask } from './post-task.js'

const LANE: Lane = 'software'
const NONCE_BYTES = 32
/** What an answer may take beyond the task's life. */
const MARGIN_S = 30

/** Who sends. */
export type TaskSender = {
  readonly identity: Identity
  readonly instance_id: string
  readonly audit: IngressPorts['audit']
  readonly clock: Clock
}

/** What is asked of whom. */
export type TaskToSend = {
  readonly endpoint: Endpoint
  readonly instruction: string
  /** What may come back: members by `properties`, files by `attachments_out_allowed`. */
  readonly result_schema: JsonObject
  readonly attachments?: readonly FileToAttach[]
  readonly purpose_id?: string
  /** Seconds; the endpoint's own unless said. */
  readonly ttl_s?: number
  /** For the whole exchange, in milliseconds; 30 seconds beyond the task's life unless said. */
  readonly deadlineMs?: number
}

/** What became of a task that was sent. */
export type SentTask = { readonly task_id: string } & (
  | { readonly kind: 'answered'; readonly response: CheckedResponse }
  /** Something answered, and it was not the peer, or not to this. */
  | { readonly kind: 'not_believed'; readonly reason: ResponseReason }
  /** Whether the peer got the task is unknown. */
  | { readonly kind: 'no_answer' }
)

/**
 * Sends a task and checks its answer. That it goes is on record before it does. Of an answer only what was asked for is
 * given back.
 * @throws AgentError `argument_invalid` on what the peer would have to refuse; `file_unusable` where the log can't be written
 */
export const sendTask = async (sender: TaskSender, asked: TaskToSend): Promise<SentTask> => {
  const { endpoint, deadlineMs } = asked
  const { body, task_id, ttl_s } = prepare(sender, asked)
  const ids = { task_id: loggedId(task_id), endpoint_id: loggedId(endpoint.endpoint_id) }
  await sender.audit.append({ event: 'A2A.envelope_sent', fields: { ...ids, ttl_s } })
  const answer = await postTask({
    url: endpoint.url,
    body,
    deadlineMs: deadlineMs ?? (ttl_s + MARGIN_S) * 1000,
  })
  if (answer === null) return { kind: 'no_answer', task_id }
  const sent = { task_id, origin_id: endpoint.our_origin_id, digest: toHex(sha256(body)) }
  const checked = checkResponse({ body: answer, sent, endpoint: { lane: LANE, ...endpoint } })
  if (!checked.ok) {
    await sender.audit.append({ event: 'A2A.response_rejected', fields: { ...ids, reason: checked.reason } })
    return { kind: 'not_believed', task_id, reason: checked.reason }
  }
  await sender.audit.append({
    event: 'A2A.response_received',
    fields: { ...ids, instance_id_match: endpoint.instance_id !== null, http_status: 200 },
  })
  return { kind: 'answered', task_id, response: narrowed(checked.value, asked.result_schema) }
}

type Prepared = { readonly body: Uint8Array; readonly task_id: string; readonly ttl_s: number }

const prepare = ({ identity, instance_id, clock }: TaskSender, asked: TaskToSend): Prepared => {
  const { endpoint, instruction, purpose_id, result_schema, ttl_s = endpoint.default_ttl_s } = asked
  if (!endpoint.enabled) throw new AgentError('argument_invalid', 'the endpoint is not enabled')
  const attachments = (asked.attachments ?? []).map((file) => attach(file))
  const unsigned = {
    task_id: `task_${randomUUID()}`,
    origin_id: endpoint.our_origin_id,
    sender_instance_id: instance_id,
    instruction,
    attachments,
    result_schema,
    nonce: toHex(randomBytes(NONCE_BYTES)),
    issued_at: nowSeconds(clock),
    ttl_s,
    ...(purpose_id === undefined ? {} : { purpose_id }),
  }
  // A peer says nothing of why it refuses, so what it must refuse is not sent.
  accept(sanitiseInstruction(instruction))
  accept(checkAttachments(attachments))
  const task = signTask(unsigned, { lane: LANE, hmac: endpoint.hmac_key, sender: identity.key })
  const body = canonicalBytes(task)
  accept(readTask(body))
  return { body, task_id: task.task_id, ttl_s }
}

const accept = (checked: { readonly ok: true } | { readonly ok: false; readonly reason: string }): void => {
  if (!checked.ok) throw new AgentError('argument_invalid', `the peer would refuse this: ${checked.reason}`)
}

const narrowed = (response: CheckedResponse, schema: JsonObject): CheckedResponse => {
  if (response.status === 'rejected') return response
  const names = allowedNames(schema)
  return {
    ...response,
    data: filterResult(response.data, schema).data,
    attachments: response.attachments.filter(({ name }) => names.includes(name)),
  }
}
