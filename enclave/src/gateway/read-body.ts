import type { IncomingMessage } from 'node:http'
import { concatBytes } from '@parley/protocol'

/** So that the sender of too much lives to read the answer. */
const DROPPED_BYTES = 1_048_576

/**
 * The body of a request; undefined if it is larger than allowed or ends early. Up to 1 MiB over the limit is read and
 * dropped; then the connection is cut.
 * @param limit in octets
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  // By events: a stream's async iterator costs more than all else that is done with a small body here.
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    let length = 0
    const ended = (): void => {
      resolve(length <= limit && request.complete ? concatBytes(...parts) : undefined)
    }
    const failed = (): void => {
      resolve(undefined)
    }
    request.on('data', (part: Uint8Array) => {
      length += part.length
      if (length <= limit) parts.push(part)
      else if (length > limit + DROPPED_BYTES) request.destroy()
    })
    request.once('end', ended).once('error', failed).once('close', failed)
  })
}
