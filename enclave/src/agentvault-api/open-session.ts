import type { AgreedContract } from './agreed-contract.js'
import { type Refusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import { freshSessionId } from './random-ids.js'
import { hasRoomForContract } from './room-for-contract.js'

/** Opens a session under a contract that was admitted. */
export function openSession(services: ApiServices, agreed: AgreedContract): ApiSession | Refusal {
  const { table, clock, random } = services
  if (!table.hasRoom() || !hasRoomForContract(services, agreed)) return refuse('unavailable')
  const session: ApiSession = {
    id: freshSessionId(random),
    agreed,
    createdAt: clock.nowSeconds(),
    accepted: [null, null],
    phase: {
      kind: 'waiting',
      deadlineMs: clock.nowMs() + agreed.sessionTtlSecs * 1000,
      contexts: [undefined, undefined],
    },
  }
  table.put(session)
  return session
}
