import { type HttpRequest, parseRequest, ProtocolError, type RefusalCode } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Log, LogEvent } from '../log.js'
import type { Limits } from '../policy-bundle.js'
import type { InnerContext, Sessions, SizedResponse } from '../session/app.js'
import { refusalResponse, refuse } from '../session/refuse.js'
import { createReplayGuard, type ReplayGuard } from './replay-guard.js'

/** Answers binary HTTP bytes that were just opened; never throws. */
export type InnerDesk = (bhttp: Uint8Array, context: InnerContext) => Promise<SizedResponse>

/** What stands behind the encapsulation. */
export type InnerDeps = {
  readonly keys: Pick<RelayKeys, 'keyset' | 'keysetDigest' | 'receiptKey'>
  readonly sessions: Pick<Sessions, 'handle'>
  readonly limits: Pick<Limits, 'replay_entries' | 'concurrent_requests' | 'tick_ms'>
  readonly clock: Pick<Clock, 'nowSeconds' | 'nowMs'>
  readonly log: Log
}

type OwnRefusal = Extract<LogEvent, { event: 'refused' }>['code']

/**
 * Admits each encapsulation once and while the keyset lives, then hands it to the sessions. A replay is noticed before
 * anything of the request is read, so that it can have no effect.
 */
export function createInnerDesk(deps: InnerDeps): InnerDesk {
  const { keys, sessions, limits, clock, log } = deps
  const guard = createReplayGuard(limits.replay_entries)
  let running = 0
  const no = (code: RefusalCode, { encapsulation }: InnerContext): SizedResponse =>
    refusalResponse(keys, encapsulation, refuse(code))
  const refuseAloud = (code: OwnRefusal, context: InnerContext): SizedResponse => {
    log({ event: 'refused', tick: Math.floor(clock.nowMs() / limits.tick_ms), code })
    return no(code, context)
  }
  return async (bhttp, context) => {
    const barred =
      barrier(deps, guard, context) ?? (running >= limits.concurrent_requests ? 'relay_overloaded' : null)
    if (barred !== null) return refuseAloud(barred, context)
    const request = readRequest(bhttp)
    if (request === undefined) return no('request_malformed', context)
    running += 1
    try {
      return await sessions.handle(request, context)
    } catch {
      return refuseAloud('relay_failed', context)
    } finally {
      running -= 1
    }
  }
}

/** Why an encapsulation is not looked into; one that is turned away for another reason is spent all the same. */
function barrier({ keys, clock }: InnerDeps, guard: ReplayGuard, { enc }: InnerContext): OwnRefusal | null {
  const now = clock.nowSeconds()
  const admission = guard.admit(enc)
  if (admission === 'replayed') return 'request_replayed'
  if (now < keys.keyset.not_before || now > keys.keyset.not_after) return 'keyset_expired'
  return admission === 'full' ? 'relay_overloaded' : null
}

function readRequest(bhttp: Uint8Array): HttpRequest | undefined {
  try {
    return parseRequest(bhttp)
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
