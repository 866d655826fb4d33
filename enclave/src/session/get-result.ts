import { bundleFor } from '../release/assemble-bundle.js'
import { readRecord } from '../release/session-record.js'
import { type Answer, answer } from './answer.js'
import { heldUntil } from './hold.js'
import type { SessionInbound } from './inbound.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { type Session, visibleState } from './session.js'

/** `GET /v1/sessions/ID/result`: pending and released results are answered in one size class, and on a tick. */
export async function getResult(
  services: Services,
  { cell, role }: SessionInbound,
  waitMs: number,
): Promise<Answer | Refused> {
  const { clock, store } = services
  await heldUntil(services, waitMs, () => isDecided(cell.current, clock.nowMs()))
  const session = cell.current
  if (session.kind === 'live') {
    if (session.commitFailed) return refuse('relay_failed')
    return answer({ state: session.state, bundle: null }, session.agreement.bytes.release_bytes)
  }
  const state = visibleState(session, clock.nowMs())
  if (!isDecided(session, clock.nowMs())) return answer({ state, bundle: null }, session.releaseBytes)
  const record = readRecord(store, session.id)
  if (record === undefined) return refuse('relay_failed')
  return answer({ state, bundle: bundleFor(role, record) }, session.releaseBytes)
}

const isDecided = (session: Session, nowMs: number): boolean =>
  session.kind === 'ended' ? session.releaseAtMs <= nowMs : session.commitFailed
