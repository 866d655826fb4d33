import * as v from 'valibot'
import { ProtocolError } from '../errors.js'
import type { JsonValue } from '../json-value.js'
import { decode } from './decode.js'
import { did, digest, hex, integer, time } from './formats.js'
import { each, role } from './role.js'
import { SESSION_STATES } from './session.js'

/** What an inbox tells of. None of it depends on an input or on an output (SPEC §26). */
export const INBOX_EVENTS = [
  'invited',
  'joined',
  'declined',
  'offered',
  'consented',
  'cancelled',
  'expired',
  'ended',
  'lost',
] as const

/** Why somebody declines, in the decliner's own word. */
export const DECLINE_REASONS = ['BUSY', 'NOT_INTERESTED', 'INVALID', 'OTHER'] as const

/** The most events of one answer. */
export const MOST_INBOX_EVENTS = 64
/** The most rows of a list of invites or of sessions. */
export const MOST_LISTED = 512

const reason = v.picklist(DECLINE_REASONS)
const sessionId = hex(32)

const inboxEvent = v.strictObject({
  seq: integer(1),
  event: v.picklist(INBOX_EVENTS),
  session_id: sessionId,
  role: v.nullable(role),
  reason_code: v.nullable(reason),
  at: time,
})
const inbox = v.strictObject({
  last: integer(0),
  events: v.pipe(v.array(inboxEvent), v.maxLength(MOST_INBOX_EVENTS)),
})
const invite = v.strictObject({
  session_id: sessionId,
  contract_hash: digest,
  role,
  known: v.boolean(),
  seats: each(v.nullable(did)),
  created_at: time,
  expires_at: time,
})
const listed = <T>(row: v.GenericSchema<T>) => v.pipe(v.array(row), v.maxLength(MOST_LISTED))
const invites = v.strictObject({ invites: listed(invite), left_off: integer(0) })
const sessionRow = v.strictObject({
  session_id: sessionId,
  role,
  state: v.picklist(SESSION_STATES),
  expires_at: v.nullable(time),
})
const sessions = v.strictObject({ sessions: listed(sessionRow), left_off: integer(0) })
const declineRequest = v.strictObject({ reason_code: reason })

/** What an inbox tells of. */
export type InboxEventName = (typeof INBOX_EVENTS)[number]
/** Why somebody declines. */
export type DeclineReason = (typeof DECLINE_REASONS)[number]
/**
 * One event of a key's inbox. `role` is the seat that it is about: the asker's own for an invite, that of whoever acted
 * otherwise; null where nobody did. `reason_code` is null but for `declined`.
 */
export type InboxEvent = v.InferOutput<typeof inboxEvent>
/** Events after a number; `last` is the newest that may be seen. Where the first one is not the next, those between are gone. */
export type Inbox = v.InferOutput<typeof inbox>
/**
 * A seat that waits for the asker. `seats` are the DIDs that were named, in role order, the inviter's first; `known` says
 * whether the asker has conferred with the inviter before.
 */
export type Invite = v.InferOutput<typeof invite>
/** The invites of an asker, those of known inviters first, the oldest first of each; `left_off` says how many more there are. */
export type Invites = v.InferOutput<typeof invites>
/** A session in which the asker has a part; `expires_at` is null once it can expire no more. */
export type SessionRow = v.InferOutput<typeof sessionRow>
/** The sessions of an asker, open ones first. */
export type SessionList = v.InferOutput<typeof sessions>
/** Declines an invite. */
export type DeclineRequest = v.InferOutput<typeof declineRequest>

/** Reads one event. @throws ProtocolError object_malformed */
export const parseInboxEvent = (value: JsonValue): InboxEvent => decode(inboxEvent, value, 'inbox event')

/** Reads an answer of an inbox. Its events are numbered without a gap. @throws ProtocolError object_malformed */
export function parseInbox(value: JsonValue): Inbox {
  const read = decode(inbox, value, 'inbox')
  const [begin] = read.events
  const start = begin?.seq ?? 0
  const inOrder = read.events.every(({ seq }, at) => seq === start + at)
  const end = start + read.events.length - 1
  if (!inOrder || (begin !== undefined && end > read.last))
    throw new ProtocolError('object_malformed', 'inbox: member events is not numbered without a gap')
  return read
}
/** Reads a list of invites. @throws ProtocolError object_malformed */
export const parseInvites = (value: JsonValue): Invites => decode(invites, value, 'invites')
/** Reads a list of sessions. @throws ProtocolError object_malformed */
export const parseSessionList = (value: JsonValue): SessionList => decode(sessions, value, 'sessions')
/** Reads the body of `POST /v1/sessions/ID/decline`. @throws ProtocolError object_malformed */
export const parseDeclineRequest = (value: JsonValue): DeclineRequest =>
  decode(declineRequest, value, 'decline request')
