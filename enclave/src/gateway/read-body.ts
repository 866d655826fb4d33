import type { IncomingMessage } from 'node:http'
import { concatBytes } from '@parley/protocol'

/**
 * The body of a request; undefined if it is larger than allowed or ends early. What is over the limit is read and
 * dropped up to twice the limit, so that the sender lives to read the answer; then the connection is cut.
 * @param limit in octets
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of request) {
      const bytes: unknown = part
      if (!(bytes instanceof Uint8Array)) return undefined
      length += bytes.length
      if (length <= limit) parts.push(bytes)
      else if (length > 2 * limit) request.destroy()
    }
  } catch {
    return undefined
  }
  return length <= limit && request.complete ? concatBytes(...parts) : undefined
}
