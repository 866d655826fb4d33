import type { SizedResponse } from './answer.js'

// Inside the process only. A Response of the fetch API would copy fields and content twice, and has no place for the
// size class: it only stands for what was answered.
const answered = new WeakMap<Response, SizedResponse>()

/** A sized response as Hono's handlers return it. */
export function toWebResponse(sized: SizedResponse): Response {
  const response = new Response(null, { status: sized.status })
  answered.set(response, sized)
  return response
}

/** The sized response that a handler returned. @throws RangeError for a Response that no handler of ours made */
export function fromWebResponse(response: Response): SizedResponse {
  const sized = answered.get(response)
  if (sized === undefined) throw new RangeError('a response that was not sized')
  return sized
}
