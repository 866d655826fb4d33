import { parseDeclineRequest } from '@parley/protocol'
import { unevaluated } from '../release/release.js'
import { acceptedAnswer } from './accepted-answer.js'
import type { Answer } from './answer.js'
import { change } from './change.js'
import { endSession } from './end-session.js'
import { readBody, type SessionInbound } from './inbound.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { seatOf } from './session.js'
import { stateAfter } from './states.js'

/** `POST /v1/sessions/ID/decline`: by whoever was invited and has not joined. It ends the session for all. */
export async function declineSession(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseDeclineRequest)
  if ('refused' in body) return body
  const { cell, role } = inbound
  return change(services, cell, {
    live: async (session) => {
      const joined = seatOf(session, role).claim !== null
      if (joined || stateAfter(session.state, 'cancelled') === undefined) return refuse('state_conflict')
      const declined = { event: 'declined', role, reason_code: body.reason_code } as const
      const { nowMs } = services.clock
      const ended = await endSession(services, cell, session, unevaluated('CANCELLED'), nowMs, declined)
      return acceptedAnswer(services, ended, role)
    },
  })
}
