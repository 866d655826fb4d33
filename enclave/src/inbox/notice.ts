import type { DeclineReason, InboxEventName, Role } from '@parley/protocol'
import { participantKey } from '../session/participant-key.js'
import type { LiveSession } from '../session/session.js'

/** Something that happened, before it has a number in the inbox of one key. */
export type Notice = {
  /** The participant's key, as its DID spells it. */
  readonly to: string
  readonly event: InboxEventName
  readonly session_id: string
  readonly role: Role | null
  readonly reason_code: DeclineReason | null
}

/** What happened, and who did it. */
export type Happening = Pick<Notice, 'event'> & Partial<Pick<Notice, 'role' | 'reason_code'>>

/**
 * Tells those who have joined, but whoever did it. Who was only invited is told of the invite and of its end: a session
 * that it never entered must not fill its inbox.
 */
export function toOthers(session: LiveSession, happening: Happening): readonly Notice[] {
  return session.seats.flatMap(({ did, claim, role }) =>
    did === null || claim === null || role === happening.role ? [] : [noticeTo(did, session, happening)],
  )
}

/** Tells all who have a part, invited or joined. */
export function toAll(session: LiveSession, happening: Happening): readonly Notice[] {
  return session.seats.flatMap(({ did }) => (did === null ? [] : [noticeTo(did, session, happening)]))
}

/** Tells each that was named of its own seat. */
export function invitations(session: LiveSession): readonly Notice[] {
  return session.seats.flatMap(({ did, claim, role }) =>
    did === null || claim !== null ? [] : [noticeTo(did, session, { event: 'invited', role })],
  )
}

const noticeTo = (
  did: string,
  { id: session_id }: LiveSession,
  { event, role = null, reason_code = null }: Happening,
): Notice => ({ to: participantKey(did), event, session_id, role, reason_code })
