import { type Answer, jsonResponse, type SizedResponse } from './answer.js'
import type { InnerContext } from './inner-context.js'
import { isRefused, refusalResponse, type Refused } from './refuse.js'
import type { Services } from './services.js'

/** What a handler says. */
export type Reply = Answer | Refused

/** Gives a reply its bytes, and a refusal its signature. */
export function respond(services: Services, { encapsulation }: InnerContext, said: Reply): SizedResponse {
  if (!isRefused(said)) return jsonResponse(said.status, said.body, said.mostBytes)
  const { keys, log, clock, bundle } = services
  const { refused: code } = said
  // These two speak of the relay. Any other code may speak of an input, and is not told to the operator.
  if (code === 'relay_failed' || code === 'relay_overloaded')
    log({ event: 'refused', tick: Math.floor(clock.nowMs() / bundle.limits.tick_ms), code })
  return refusalResponse(keys, encapsulation, said)
}
