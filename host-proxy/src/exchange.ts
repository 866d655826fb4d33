import type { IncomingMessage, ServerResponse } from 'node:http'
import { SIZE_CLASSES } from '@parley/protocol/routes'
import type { Log, Sighting } from './log.js'
import type { Asked } from './route.js'

/** One request and its answer, with what the log will say of them. */
export type Exchange = {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly seen: Seen
}

/** What has been seen of an exchange so far. */
export type Seen = {
  route: Asked['route'] | 'other'
  keyId: number | null
  requestBytes: number
  responseBytes: number
}

/** Begins an exchange; its one log line is written when it ends, however it ends. */
export const openExchange = (
  { incoming, outgoing }: Pick<Exchange, 'incoming' | 'outgoing'>,
  { log, tick }: { readonly log: Log; readonly tick: number },
): Exchange => {
  const seen: Seen = {
    route: 'other',
    keyId: null,
    requestBytes: declaredBytes(incoming) ?? 0,
    responseBytes: 0,
  }
  outgoing.once('close', () => {
    log(sighting(seen, tick, outgoing.writableFinished ? outgoing.statusCode : null))
  })
  return { incoming, outgoing, seen }
}

/** The body size that a message declares, in octets; undefined for a chunked body or none. */
export const declaredBytes = ({ headers }: IncomingMessage): number | undefined => {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

const sighting = (seen: Seen, tick: number, status: number | null): Sighting => ({
  tick,
  route: seen.route,
  key_id: seen.keyId,
  request_class: sizeClass(seen.requestBytes),
  response_class: sizeClass(seen.responseBytes),
  status,
})

/** The size class that a count of octets is shown as: 0 for none, null above the largest. */
export const sizeClass = (bytes: number): number | null =>
  bytes === 0 ? 0 : (SIZE_CLASSES.find((size) => size >= bytes) ?? null)
