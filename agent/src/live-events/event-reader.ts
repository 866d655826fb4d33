import type { ServerResponse } from 'node:http'
import { type LiveEvent, type LiveEvents, serverSentEvent } from '@parley/guardian'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/** What a reader asks for. */
export type Reading = {
  readonly live: LiveEvents
  /** The number of the last event that the reader has; -1: none. */
  readonly after: number
  /** Octets that may wait for a reader before it is dropped. */
  readonly mostWaiting: number
}

/**
 * Sends the events of a run as server-sent events: those that are kept after a number, then each as it happens, and ends
 * after the end of the run. Whoever reads too slowly is dropped, and comes back with the number that it has: nobody waits
 * for a reader. A reader that has the end gets 204, which tells it not to come back.
 * @see WHATWG HTML §9.2 "Server-sent events"
 */
export const sendEvents = (response: ServerResponse, { live, after, mostWaiting }: Reading): void => {
  const { events, gone } = live.replay(after)
  const isOver = events.length === 0 && isEnd(live.replay(-1).events.at(-1))
  if (isOver) {
    response.writeHead(204).end()
    return
  }
  response.writeHead(200, HEADERS)
  response.flushHeaders()
  let leave = (): void => undefined
  const write = (text: string): void => {
    response.write(text)
    if (response.writableLength <= mostWaiting) return
    leave()
    response.destroy()
  }
  const send = (event: LiveEvent): void => {
    if (response.destroyed || response.writableEnded) return
    write(serverSentEvent(event))
    if (!isEnd(event)) return
    leave()
    response.end()
  }
  // No id of its own: the reader's last number stays the one that it has.
  if (gone) write('event: gone\ndata: {}\n\n')
  // In one turn of the event loop: no event falls between what was kept and what comes.
  leave = live.listen(send)
  for (const event of events) send(event)
  response.once('close', leave)
}

const ENDS: readonly string[] = ['run.completed', 'run.failed', 'run.cancelled']

const isEnd = (event: LiveEvent | undefined): boolean =>
  event !== undefined && ENDS.includes(event.record.event)
