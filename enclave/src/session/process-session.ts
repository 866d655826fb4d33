import { SessionEffects } from '../effects/session-effects.js'
import { toAll } from '../inbox/notice.js'
import type { Release } from '../release/release.js'
import { releaseTime, type Slotting } from '../release/slot.js'
import { endSession } from './end-session.js'
import { inferSession } from './infer-session.js'
import { releaseSession } from './release-session.js'
import type { Services } from './services.js'
import { type EndedSession, type LiveSession, type Seat, withSeat } from './session.js'
import type { Cell } from './session-table.js'
import { slotMsOf } from './slots.js'

/**
 * From the last input to the release. Each step begins at a moment that follows from the last input's alone: the
 * host sees when the relay writes and answers, and must not see how long an evaluation took.
 * @param acceptedMs when the last input was accepted, on the monotonic clock
 */
export async function processSession(services: Services, cell: Cell, acceptedMs: number): Promise<void> {
  const effects = new SessionEffects(services, cell)
  const stands = await released(services, cell, effects, acceptedMs).catch(() => false)
  if (stands || services.closed()) return
  abandon(services, cell)
  await effects.end('failed')
}

/** False where the commit failed for as long as the session may last. */
const released = async (
  services: Services,
  cell: Cell,
  effects: SessionEffects,
  acceptedMs: number,
): Promise<boolean> => {
  const { ticks, clock, bundle } = services
  const { tick_ms } = bundle.limits
  // The answer to the last input has left before: it says nothing of the evaluation.
  await clock.sleepUntil(ticks.atOrAfter(acceptedMs + tick_ms))
  if (services.closed()) return false
  const { evaluation, deadlineMs, slotMs } = beginEvaluation(services, cell, effects, acceptedMs)
  const release = await evaluation
  for (let slot = 0; ; slot++) {
    const commitMs = ticks.atOrAfter(acceptedMs + (slot + 1 / 2) * slotMs)
    // Whatever was late waits for the middle of another slot: no moment tells how late.
    if (commitMs < clock.nowMs()) continue
    await clock.sleepUntil(commitMs)
    if (services.closed()) return false
    if (await committed(services, cell, effects, release, { acceptedMs, slotMs })) return true
    if (clock.nowMs() >= deadlineMs) return false
  }
}

type Begun = {
  readonly evaluation: Promise<Release>
  readonly deadlineMs: number
  readonly slotMs: number
}

/** Takes the inputs out of the session, whatever comes of them: the evaluation alone holds them from here on. */
const beginEvaluation = (
  services: Services,
  cell: Cell,
  effects: SessionEffects,
  acceptedMs: number,
): Begun => {
  const session = cell.current
  if (session.kind === 'ended') throw new RangeError('an evaluation after the end')
  const inputs = session.seats.flatMap(({ submission }) => submission?.opened ?? [])
  if (inputs.length < session.seats.length) throw new RangeError('an evaluation without all inputs')
  cell.current = withoutInputs(session)
  const { agreement, deadlineMs } = session
  const bytes = inputs.reduce((sum, { length }) => sum + length, 0)
  const slotMs = slotMsOf(services.bundle.limits, agreement.admitted.evaluator)
  const asked = { agreement, inputs, acceptedMs, deadlineMs, slotMs }
  const evaluation = services.table.countingInputs(bytes, () => inferSession(services, cell, effects, asked))
  return { evaluation, deadlineMs, slotMs }
}

/** From here on the session holds no input. */
const withoutInputs = (session: LiveSession): LiveSession =>
  session.seats.reduce((kept: LiveSession, seat: Seat) => {
    const { submission } = seat
    return withSeat(kept, { ...seat, submission: submission && { ...submission, opened: undefined } })
  }, session)

/** One attempt. A session is evaluated once; only its commit is repeated. */
const committed = (
  services: Services,
  cell: Cell,
  effects: SessionEffects,
  release: Release,
  { acceptedMs, slotMs }: Pick<Slotting, 'acceptedMs' | 'slotMs'>,
): Promise<boolean> =>
  cell.serial(async () => {
    const session = cell.current
    if (session.kind === 'ended') return true
    const { ticks, clock } = services
    const end = (what: Release): Promise<EndedSession> =>
      endSession(services, cell, session, what, () =>
        ticks.atOrAfter(releaseTime({ acceptedMs, committedMs: clock.nowMs(), slotMs })),
      )
    try {
      if (await releaseSession(effects, session, release, end)) return true
    } catch {
      // As below: another slot may do better.
    }
    cell.current = { ...session, commitFailed: true }
    return false
  })

/** The session goes without output, receipt or charge: nothing of it became durable, and nobody was shown anything. */
const abandon = ({ table, ledger, inbox, store }: Services, { current }: Cell): void => {
  if (current.kind === 'ended') return
  const lost = toAll(current, { event: 'lost' })
  // Where the disk is what failed, nobody can be told.
  inbox.posting(lost, (writes) => store.commit(writes())).catch(() => undefined)
  for (const { claim } of current.seats) if (claim !== null) ledger.release(current.id, claim)
  table.remove(current.id)
}
