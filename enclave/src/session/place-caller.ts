import type { Caller } from './authenticate.js'
import type { Inbound, SessionInbound } from './inbound.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import type { Session } from './session.js'
import type { Cell } from './session-table.js'

/**
 * Finds a caller's place in a session. A session that does not exist and one in which the caller has no part give one
 * answer. Then, in this order: its role, its sequence number, the offer under which it acts.
 */
export function placeCaller(
  { table }: Services,
  inbound: Inbound,
  sessionId: string,
  joining: boolean,
): SessionInbound | Refused {
  const { caller } = inbound
  if (caller.sessionId !== sessionId) return refuse('request_malformed', 'parley-session')
  const cell = table.find(sessionId)
  const role = cell === undefined ? undefined : roleIn(cell.current, caller, joining)
  if (cell === undefined || role === undefined) return refuse('session_unknown')
  if (caller.role !== role) return refuse('role_refused')
  const no = advance(cell, caller) ?? checkOffer(cell.current, caller)
  return no ?? { ...inbound, cell, role }
}

const roleIn = (session: Session, { did, role }: Caller, joining: boolean): Caller['role'] | undefined => {
  const seated = session.seats.find((seat) => seat.did === did)
  if (seated !== undefined) return seated.role
  if (!joining || session.kind === 'ended') return undefined
  // Where nobody was named, whoever knows the session id may join, and do nothing else.
  const open = session.seats.filter((seat) => seat.did === null)
  return (open.find((seat) => seat.role === role) ?? open[0])?.role
}

/** Only a verified signature gets here, so nobody can use up another's numbers. */
const advance = ({ current, seqs }: Cell, { did, seq }: Caller): Refused | undefined => {
  if (seq <= (seqs.get(did) ?? -1)) return refuse('sequence_replayed')
  // Whoever has no seat yet gets its first number with it: strangers must not fill the memory.
  if (current.seats.some((seat) => seat.did === did)) seqs.set(did, seq)
  return undefined
}

const checkOffer = (session: Session, { offerDigest }: Caller): Refused | undefined => {
  const current = session.kind === 'ended' ? session.offerDigest : (session.offered?.digest ?? null)
  return offerDigest === null || offerDigest === current ? undefined : refuse('offer_stale')
}
