import { MOST_LISTED, type SessionRow } from '@parley/protocol'
import { type Answer, answer, RESPONSE_OVERHEAD_BYTES } from '../session/answer.js'
import type { Inbound } from '../session/inbound.js'
import { participantKey } from '../session/participant-key.js'
import type { Services } from '../session/services.js'
import { type Session, visibleState } from '../session/session.js'

// A row with the longest of everything: how a session ended must not move the answer to another size class.
const ROW_BYTES = 256

// Of those that memory no longer has, each is read from the store.
const MOST_ENDED = 64

/** `GET /v1/sessions`: the sessions in which the caller's key has a seat, and the last ones that it had one in. */
export function listSessions(services: Services, { caller }: Inbound): Answer {
  const key = participantKey(caller.did)
  const open = services.table.live().map(({ current }) => current)
  const all = [...open, ...lastEnded(services, key, new Set(open.map(({ id }) => id)))]
  const now = services.clock.nowMs()
  const rows = all.flatMap((session) => rowOf(session, key, now)).sort(openFirst)
  const sessions = rows.slice(0, MOST_LISTED)
  const mostBytes = (1 + sessions.length) * ROW_BYTES + RESPONSE_OVERHEAD_BYTES
  return answer({ sessions, left_off: rows.length - sessions.length }, mostBytes)
}

/** The last sessions of which the inbox tells, but for the live ones. */
const lastEnded = ({ inbox, table }: Services, key: string, live: ReadonlySet<string>): Session[] => {
  const told = [...inbox.after(key, 0)].map(({ session_id }) => session_id)
  const ids = [...new Set(told.reverse())].filter((id) => !live.has(id)).slice(0, MOST_ENDED)
  return ids.flatMap((id) => table.find(id)?.current ?? [])
}

const rowOf = (session: Session, key: string, nowMs: number): SessionRow[] => {
  const seat = session.seats.find(({ did }) => did !== null && participantKey(did) === key)
  // Whoever was only invited has an invite.
  if (seat === undefined || ('claim' in seat && seat.claim === null)) return []
  const state = visibleState(session, nowMs)
  const expires_at = session.kind === 'live' && state !== 'PROCESSING' ? session.expiresAt : null
  return [{ session_id: session.id, role: seat.role, state, expires_at }]
}

/** Nothing in this order tells when a session was committed. */
const openFirst = (one: SessionRow, other: SessionRow): number =>
  Number(isOver(one)) - Number(isOver(other)) || (one.session_id < other.session_id ? -1 : 1)

const isOver = ({ state }: SessionRow): boolean => state === 'COMPLETED' || state === 'ABORTED'
