import type { EvaluationJob, Release } from '../release/release.js'
import { releaseTime } from '../release/slot.js'
import { endSession } from './end-session.js'
import type { Services } from './services.js'
import { type LiveSession, type Seat, withSeat } from './session.js'
import type { Cell } from './session-table.js'

/**
 * From the second input to the release. Each step begins at a moment that follows from the second input's alone: the
 * host sees when the relay writes and answers, and must not see how long an evaluation took.
 * @param acceptedMs when the second input was accepted, on the monotonic clock
 */
export async function processSession(services: Services, cell: Cell, acceptedMs: number): Promise<void> {
  const stands = await released(services, cell, acceptedMs).catch(() => false)
  if (!stands && !services.closed()) abandon(services, cell)
}

/** False where the commit failed for as long as the session may last. */
const released = async (services: Services, cell: Cell, acceptedMs: number): Promise<boolean> => {
  const { ticks, clock, bundle } = services
  const { tick_ms, release_slot_ms } = bundle.limits
  // The answer to the second input has left before: it says nothing of the evaluation.
  await clock.sleepUntil(ticks.atOrAfter(acceptedMs + tick_ms))
  if (services.closed()) return false
  const { job, deadlineMs } = takeJob(cell)
  const release = await services.evaluator.evaluate(job)
  for (let slot = 0; ; slot++) {
    const commitMs = ticks.atOrAfter(acceptedMs + (slot + 1 / 2) * release_slot_ms)
    // Whatever was late waits for the middle of another slot: no moment tells how late.
    if (commitMs < clock.nowMs()) continue
    await clock.sleepUntil(commitMs)
    if (services.closed()) return false
    if (await committed(services, cell, release, acceptedMs)) return true
    if (clock.nowMs() >= deadlineMs) return false
  }
}

/** Takes the inputs out of the session, whatever comes of them: the evaluator alone holds them from here on. */
const takeJob = (cell: Cell): { readonly job: EvaluationJob; readonly deadlineMs: number } => {
  const session = cell.current
  if (session.kind === 'ended') throw new RangeError('an evaluation after the end')
  const [initiator, responder] = session.seats.map(({ submission }) => submission?.opened)
  if (initiator === undefined || responder === undefined)
    throw new RangeError('an evaluation without both inputs')
  cell.current = withoutInputs(session)
  const { contractBytes, admitted } = session.agreement
  const { output, policy } = admitted
  return { job: { contractBytes, output, policy, initiator, responder }, deadlineMs: session.deadlineMs }
}

/** From here on the session holds no input. */
const withoutInputs = (session: LiveSession): LiveSession =>
  session.seats.reduce((kept: LiveSession, seat: Seat) => {
    const { submission } = seat
    return withSeat(kept, { ...seat, submission: submission && { ...submission, opened: undefined } })
  }, session)

/** One attempt. A session is evaluated once; only its commit is repeated. */
const committed = (services: Services, cell: Cell, release: Release, acceptedMs: number): Promise<boolean> =>
  cell.serial(async () => {
    const session = cell.current
    if (session.kind === 'ended') return true
    const { ticks, clock, bundle } = services
    const slotMs = bundle.limits.release_slot_ms
    try {
      await endSession(services, cell, session, release, () =>
        ticks.atOrAfter(releaseTime({ acceptedMs, committedMs: clock.nowMs(), slotMs })),
      )
      return true
    } catch {
      cell.current = { ...session, commitFailed: true }
      return false
    }
  })

/** The session goes without output, receipt or charge: nothing of it became durable, and nobody was shown anything. */
const abandon = ({ table, ledger }: Services, { current }: Cell): void => {
  if (current.kind === 'ended') return
  for (const { claim } of current.seats) if (claim !== null) ledger.release(current.id, claim)
  table.remove(current.id)
}
