import { parseCancelRequest } from '@parley/protocol'
import { unevaluated } from '../release/release.js'
import { acceptedAnswer } from './accepted-answer.js'
import type { Answer } from './answer.js'
import { change } from './change.js'
import { endSession } from './end-session.js'
import { readBody, type SessionInbound } from './inbound.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { stateAfter } from './states.js'

/** `POST /v1/sessions/ID/cancel`: by any participant, until all inputs are there. */
export async function cancelSession(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseCancelRequest)
  if ('refused' in body) return refuse('request_malformed')
  const { cell, role } = inbound
  return change(services, cell, {
    live: async (session) => {
      if (stateAfter(session.state, 'cancelled') === undefined) return refuse('state_conflict')
      const cancelled = { event: 'cancelled', role } as const
      const { nowMs } = services.clock
      const ended = await endSession(services, cell, session, unevaluated('CANCELLED'), nowMs, cancelled)
      return acceptedAnswer(services, ended, role)
    },
  })
}
