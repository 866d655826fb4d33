import type { IncomingMessage } from 'node:http'

const NOTHING = new Uint8Array(0)

/**
 * Calls back with the first bytes of a body and leaves the rest in the stream; with none if the body is empty, and
 * never if the client leaves before. A callback, not a promise: within it the stream flows on into whatever
 * is attached, without being paused and resumed.
 */
export const onFirstChunk = (incoming: IncomingMessage, then: (head: Uint8Array) => void): void => {
  const none = (): void => {
    then(NOTHING)
  }
  incoming.once('data', (chunk: Uint8Array) => {
    incoming.off('end', none)
    then(chunk)
  })
  incoming.on('end', none)
}
