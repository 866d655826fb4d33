import { checkInput, MOST_INPUT_BYTES } from '@parley/guardian'
import {
  canonicalBytes,
  commitInput,
  type InputRequest,
  type JsonValue,
  parseInputRequest,
} from '@parley/protocol'
import { acceptedAnswer } from './accepted-answer.js'
import type { Answer } from './answer.js'
import { change, refuseEnded } from './change.js'
import { readBody, type SessionInbound } from './inbound.js'
import { processSession } from './process-session.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { type LiveSession, seatOf, withSeat } from './session.js'
import { stateAfter } from './states.js'

/** `POST /v1/sessions/ID/input`: one input of each participant; the last one starts the evaluation. */
export async function acceptInput(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseInputRequest)
  if ('refused' in body) return body
  const { cell, role } = inbound
  return change(services, cell, {
    live: async (session) => {
      const no = refuseInput(session, inbound, body)
      if (no !== undefined) return no
      // As bytes: a graph of small objects is many times as large, and may wait for a day.
      const opened = canonicalBytes(body.input)
      return services.table.holdingInput(opened.length, async () => {
        cell.current = await accepted(services, session, inbound, { ...body, opened })
        if (cell.current.state === 'PROCESSING') void processSession(services, cell, services.clock.nowMs())
        return acceptedAnswer(services, cell.current, role)
      })
    },
    ended: (session) =>
      seatOf(session, role).commitment === null ? refuseEnded(session) : refuse('already_submitted'),
  })
}

const refuseInput = (
  session: LiveSession,
  { caller, role }: SessionInbound,
  { input }: InputRequest,
): Refused | undefined => {
  if (seatOf(session, role).submission !== null) return refuse('already_submitted')
  if (stateAfter(session.state, 'input_accepted') === undefined) return refuse('state_conflict')
  if (session.seats.some(({ consent }) => consent === null)) return refuse('consent_missing')
  if (caller.offerDigest === null) return refuse('offer_stale')
  const { inputs } = session.agreement.admitted
  const shape = inputs?.[role]
  const check = shape === undefined ? checkLength(input) : checkInput(shape, input)
  return check.ok ? undefined : refuse('input_refused', `${check.code} ${check.pointer}`)
}

/** An input without a schema has the bound that schemas have. */
const checkLength = (input: JsonValue) =>
  canonicalBytes(input).length <= MOST_INPUT_BYTES
    ? ({ ok: true } as const)
    : ({ ok: false, code: 'input_too_large', pointer: '' } as const)

/** The session with one more input, once the audit entry of it is durable. */
const accepted = async (
  services: Services,
  session: LiveSession,
  { role, context }: SessionInbound,
  { input, salt, opened }: InputRequest & { readonly opened: Uint8Array },
): Promise<LiveSession> => {
  const missing = session.seats.filter(({ submission }) => submission === null).length
  const state = stateAfter(session.state, missing > 1 ? 'input_accepted' : 'last_input_accepted')
  if (state === undefined) throw new RangeError('an input that the table of states does not have')
  const commitment = commitInput(services.keys.keyset.lane, { session_id: session.id, role, salt, input })
  const fields = { session_id: session.id, role, input_commitment: commitment }
  await services.audit.append({ event: 'input.accepted', fields })
  const submission = { commitment, encapsulation: context.encapsulation, opened }
  return { ...withSeat(session, { ...seatOf(session, role), submission }), state }
}
