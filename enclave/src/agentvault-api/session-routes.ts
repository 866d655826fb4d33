import { canonicalBytes, type JsonObject } from '@parley/protocol'
import * as v from 'valibot'
import { acceptInput } from './accept-input.js'
import { type Answer, isRefusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import { type ApiSession, stateOf } from './api-session.js'
import { type Call, readMembers } from './call.js'
import { enterSession } from './enter-session.js'
import { jsonValue } from './json-member.js'
import { openSession } from './open-session.js'
import { rfc3339 } from './rfc3339.js'
import { seatOf } from './session-tokens.js'

const createBody = v.strictObject({ contract: jsonValue, provider: v.nullish(v.string()) })

const inputBody = v.strictObject({
  // Required there and of no effect: the token says whose input it is.
  role: v.string(),
  context: jsonValue,
  expected_contract_hash: v.nullish(v.string()),
})

/** `POST /sessions`. */
export function createSession(services: ApiServices, call: Call): Answer {
  const body = readMembers(call, createBody)
  if (isRefusal(body)) return body
  const agreed = services.admit(body.read.contract, body.read.provider ?? undefined)
  if (isRefusal(agreed)) return agreed
  const session = openSession(services, agreed)
  if (isRefusal(session)) return session
  const { tokens } = services
  return {
    body: {
      session_id: session.id,
      contract_hash: agreed.contractHash,
      initiator_submit_token: tokens.of(session.id, 'initiator_submit'),
      initiator_read_token: tokens.of(session.id, 'initiator_read'),
      responder_submit_token: tokens.of(session.id, 'responder_submit'),
      responder_read_token: tokens.of(session.id, 'responder_read'),
    },
  }
}

/** `POST /sessions/ID/input`. */
export function submitInput(services: ApiServices, call: Call, id: string): Answer {
  const entered = enterSession(services, id, call.bearer)
  if (isRefusal(entered)) return entered
  const { session, kind } = entered
  if (kind.endsWith('_read')) return refuse('unauthorized')
  const body = readMembers(call, inputBody)
  if (isRefusal(body)) return body
  const { contractHash } = session.agreed
  if ((body.read.expected_contract_hash ?? contractHash) !== contractHash)
    return refuse('contract_refused', 'expected_contract_hash does not match session contract')
  const accepted = acceptInput(services, session, seatOf(kind), body.read.context)
  return isRefusal(accepted) ? accepted : { body: stateOf(accepted) }
}

/** `GET /sessions/ID/status`, for each of the four tokens. */
export function sessionStatus(services: ApiServices, { bearer }: Call, id: string): Answer {
  const entered = enterSession(services, id, bearer)
  return isRefusal(entered) ? entered : { body: stateOf(entered.session) }
}

/** `GET /sessions/ID/output`: every member always, null where there is nothing. */
export function sessionOutput(services: ApiServices, call: Call, id: string): Answer {
  const session = readable(services, call, id)
  if (isRefusal(session)) return session
  const { phase } = session
  const ending = phase.kind === 'ended' ? phase.ending : undefined
  return {
    body: {
      ...stateOf(session),
      output: ending?.output ?? null,
      receipt: ending?.receipt ?? null,
      receipt_signature: ending?.receipt?.signature ?? null,
      receipt_v2: ending?.receipt_v2 ?? null,
    },
  }
}

/** `GET /sessions/ID/metadata`, for developers only: sizes and times tell of inputs. */
export function sessionMetadata(services: ApiServices, call: Call, id: string): Answer {
  if (!services.config.dev) return refuse('unauthorized')
  const session = readable(services, call, id)
  return isRefusal(session)
    ? session
    : { body: { session_id: session.id, timing: timingOf(session), sizes: sizesOf(session) } }
}

function readable(
  services: ApiServices,
  { bearer }: Call,
  id: string,
): ApiSession | ReturnType<typeof refuse> {
  const entered = enterSession(services, id, bearer)
  if (isRefusal(entered)) return entered
  return entered.kind.endsWith('_read') ? entered.session : refuse('unauthorized')
}

function timingOf({ createdAt, accepted: [initiator, responder], phase }: ApiSession): JsonObject {
  const at = (seconds: number | undefined): string | null => (seconds === undefined ? null : rfc3339(seconds))
  const evaluated = phase.kind === 'ended' ? phase.evaluated : null
  const startedAt = phase.kind === 'processing' ? phase.startedAt : evaluated?.startedAt
  return {
    session_created_at: rfc3339(createdAt),
    initiator_input_at: at(initiator?.at),
    responder_input_at: at(responder?.at),
    inference_start_at: at(startedAt),
    inference_end_at: at(evaluated?.endedAt),
    output_ready_at: at(evaluated?.endedAt),
  }
}

function sizesOf({ accepted: [initiator, responder], phase }: ApiSession): JsonObject {
  const ending = phase.kind === 'ended' && phase.ending.abort_reason === null ? phase.ending : null
  return {
    initiator_input_bytes: initiator?.bytes ?? null,
    responder_input_bytes: responder?.bytes ?? null,
    output_bytes: ending === null ? null : canonicalBytes(ending.output).length,
    receipt_bytes: ending?.receipt == null ? null : canonicalBytes(ending.receipt).length,
  }
}
