import type { IncomingMessage } from 'node:http'
import { concatBytes } from '@parley/protocol'

/** So that the sender of too much lives to read the answer. */
const DROPPED_BYTES = 1_048_576

/**
 * The body of a request; undefined if it is larger than allowed or ends early. Up to 1 MiB over the limit is read and
 * dropped; then the connection is cut.
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
      else if (length > limit + DROPPED_BYTES) request.destroy()
    }
  } catch {
    return undefined
  }
  return length <= limit && request.complete ? concatBytes(...parts) : undefined
}
