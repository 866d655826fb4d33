import { MOST_INBOX_EVENTS } from '@parley/protocol'
import { type Answer, answer } from '../session/answer.js'
import { heldUntil } from '../session/hold.js'
import type { Inbound } from '../session/inbound.js'
import { participantKey } from '../session/participant-key.js'
import type { Services } from '../session/services.js'
import { firstOf } from './first-of.js'
import { tellLost } from './tell-lost.js'

// As many events as an answer holds, each with the longest of everything: the host sees this class of every answer.
const INBOX_BYTES = 16_384

/**
 * `GET /v1/inbox/SEQ`: the events of the caller's key after a number. A long poll is answered when there are any, or
 * where the relay has no such number.
 */
export async function getInbox(
  services: Services,
  { caller }: Inbound,
  after: number,
  waitMs: number,
): Promise<Answer> {
  const key = participantKey(caller.did)
  const { inbox } = services
  await tellLost(services, key)
  if (waitMs > 0) await heldUntil(services, waitMs, () => inbox.last(key) !== after)
  const events = firstOf(inbox.after(key, after), MOST_INBOX_EVENTS)
  return answer({ last: inbox.last(key), events }, INBOX_BYTES)
}
