import { MOST_ERASED_BYTES, parseErasureRequest } from '@parley/protocol'
import { eraseSubject } from '../audit/erase-subject.js'
import { type Answer, answer } from './answer.js'
import { type Inbound, readBody } from './inbound.js'
import { isRefused, type Refused } from './refuse.js'
import type { Services } from './services.js'

/** `POST /v1/erasure`: erases what the relay holds of the caller's own key, one request at a time. @see SPEC §13 */
export async function eraseCaller(services: Services, inbound: Inbound): Promise<Answer | Refused> {
  const asked = readBody(inbound, parseErasureRequest)
  if (isRefused(asked)) return asked
  const erased = await services.erasing(() => eraseSubject(services, inbound.caller.did))
  return answer({ ...erased }, MOST_ERASED_BYTES)
}
