import type {
  AbortClass,
  Consent,
  LedgerClaim,
  LedgerEntry,
  Offer,
  Role,
  SessionState,
} from '@parley/protocol'
import type { Agreement } from './agreement.js'

/** An accepted input. `opened` is its canonical bytes, and undefined once it has been evaluated. */
export type Submission = {
  readonly commitment: string
  /** Lower-case hex SHA-256 of the encapsulated request that carried it. */
  readonly encapsulation: string
  readonly opened: Uint8Array | undefined
}

/** One of the places of a session. */
export type Seat = {
  readonly role: Role
  /** The contract's name for whoever sits here. */
  readonly participantId: string
  /** Null until somebody joins, where nobody was named for this place. */
  readonly did: string | null
  /** Null until its owner has created or joined. */
  readonly claim: LedgerClaim | null
  readonly consent: Consent | null
  readonly submission: Submission | null
}

/** A place for each participant, in role order. */
export type Seats = readonly Seat[]

/** The offer of a session; it never changes. */
export type Offered = {
  readonly offer: Offer
  readonly digest: string
  /** The ledger entries that the offer's heads stand for, in role order; each is shown to its owner only. */
  readonly heads: readonly LedgerEntry[]
}

/** A session that has not ended. A value: whoever changes a session puts another one in its place. */
export type LiveSession = {
  readonly kind: 'live'
  readonly id: string
  readonly state: SessionState
  readonly agreement: Agreement
  /** Whether nobody was named for some place. */
  readonly openJoin: boolean
  readonly seats: Seats
  readonly offered: Offered | null
  /** Unix seconds, for the wire, as the two below. */
  readonly createdAt: number
  /** Until when an invite may be accepted. */
  readonly joinBy: number
  readonly expiresAt: number
  /** The same moment on the relay's monotonic clock, in milliseconds. */
  readonly deadlineMs: number
  /** Until when all must have joined, on the same clock. */
  readonly joinByMs: number
  /** Whether the last attempt to commit its end failed. */
  readonly commitFailed: boolean
}

/** What memory keeps of a session that has ended; all else is in its record. */
export type EndedSession = {
  readonly kind: 'ended'
  readonly id: string
  readonly state: SessionState
  readonly abortClass: AbortClass | null
  readonly seats: readonly EndedSeat[]
  readonly offerDigest: string | null
  /** As in {@link Offered}; null where the session was read back from its record. */
  readonly heads: Offered['heads'] | null
  /** When the result may be seen, on the relay's monotonic clock. */
  readonly releaseAtMs: number
  readonly releaseBytes: number
}

/** A place of a session that has ended. */
export type EndedSeat = {
  readonly role: Role
  readonly did: string | null
  readonly commitment: string | null
}

/** A session. */
export type Session = LiveSession | EndedSession

/** A session with its seat of one role replaced. */
export function withSeat(session: LiveSession, seat: Seat): LiveSession {
  return { ...session, seats: session.seats.map((each) => (each.role === seat.role ? seat : each)) }
}

/** The seat of one role. @throws RangeError where the session has none of it */
export function seatOf<S extends { readonly role: Role }>(
  { seats }: { readonly seats: readonly S[] },
  role: Role,
): S {
  const found = seats.find((seat) => seat.role === role)
  if (found === undefined) throw new RangeError('a role that the session does not have')
  return found
}

/** The state that anybody may see: how an evaluation went is hidden until the release. */
export function visibleState(session: Session, nowMs: number): SessionState {
  return session.kind === 'ended' && nowMs < session.releaseAtMs ? 'PROCESSING' : session.state
}
