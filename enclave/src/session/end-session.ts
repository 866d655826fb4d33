import { type Happening, toAll } from '../inbox/notice.js'
import { commitRelease } from '../release/commit-release.js'
import { attachHardwarePath } from '../release/hardware-path.js'
import { type Release, unevaluated } from '../release/release.js'
import type { Services } from './services.js'
import type { EndedSeat, EndedSession, LiveSession, Seat } from './session.js'
import type { Cell } from './session-table.js'
import { endingEvent, stateAfter } from './states.js'

/**
 * Ends a session for good: commits, puts the ended session in its place, asks for its hardware path.
 * Runs in the cell's serial.
 * @param releaseAtMs when the result may be seen, told once the commit stands
 * @param happening what the inboxes of all participants say of it; nothing of what came of an evaluation
 * @throws whatever the store throws; then the session has not ended
 */
export async function endSession(
  services: Services,
  cell: Cell,
  session: LiveSession,
  release: Release,
  releaseAtMs: () => number,
  happening: Happening = { event: 'ended' },
): Promise<EndedSession> {
  const state = stateAfter(session.state, endingEvent(release.outcome))
  if (state === undefined) throw new RangeError('an end that the table of states does not have')
  const receipt = await commitRelease(services, session, release, toAll(session, happening))
  const ended: EndedSession = {
    kind: 'ended',
    id: session.id,
    state,
    abortClass: release.outcome.abort_class,
    seats: session.seats.map(endedSeat),
    offerDigest: session.offered?.digest ?? null,
    heads: session.offered?.heads ?? null,
    releaseAtMs: releaseAtMs(),
    releaseBytes: session.agreement.bytes.release_bytes,
  }
  cell.current = ended
  services.log({
    event: 'session_ended',
    tick: Math.floor(services.clock.nowMs() / services.bundle.limits.tick_ms),
  })
  void attachHardwarePath(services, receipt)
  return ended
}

const endedSeat = ({ role, did, submission }: Seat): EndedSeat => ({
  role,
  did,
  commitment: submission?.commitment ?? null,
})

/** Ends a session whose time is over, if it is. Runs in the cell's serial. */
export async function expireIfDue(services: Services, cell: Cell): Promise<void> {
  const session = cell.current
  if (session.kind === 'ended' || !isOver(services, session)) return
  const { nowMs } = services.clock
  await endSession(services, cell, session, unevaluated('EXPIRED'), nowMs, { event: 'expired' })
}

/** Inputs that are all in time are evaluated, however late it gets. */
const isOver = ({ clock }: Services, session: LiveSession): boolean =>
  stateAfter(session.state, 'expired') !== undefined &&
  (clock.nowMs() >= deadlineOf(session) || clock.nowSeconds() >= session.expiresAt)

/** When a session expires unless something happens, on the monotonic clock. */
export function deadlineOf({ offered, joinByMs, deadlineMs }: LiveSession): number {
  return offered === null ? joinByMs : deadlineMs
}

/** Ends whatever is over, and says when to look again. */
export function expireAll(services: Services): number | undefined {
  if (services.closed()) return undefined
  const waiting = services.table.live().flatMap((cell) => {
    const { current } = cell
    return current.kind === 'live' && stateAfter(current.state, 'expired') !== undefined
      ? [{ cell, current }]
      : []
  })
  for (const { cell, current } of waiting)
    if (isOver(services, current)) cell.serial(() => expireIfDue(services, cell)).catch(() => undefined)
  const { ticks, clock } = services
  if (waiting.length === 0) return undefined
  const soonest = Math.min(...waiting.map(({ current }) => deadlineOf(current)))
  // What is over and could not be ended is tried again on the next tick.
  return Math.max(soonest, ticks.atOrAfter(clock.nowMs() + 1))
}
