import { utf8 } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { InboxEvent, InboxEvents } from './inbox-events.js'

const PING_MS = 15_000
/** Octets that a reader may leave unread before it is dropped: it comes again with the number of its last event. */
const MOST_UNREAD = 65_536

const PING = utf8(': ping\n\n')

const frameOf = (event: InboxEvent): Uint8Array =>
  utf8(`event: ${event.event_type.toLowerCase()}\nid: ${event.event_id}\ndata: ${JSON.stringify(event)}\n\n`)

/**
 * An agent's inbox as a stream of server-sent events, with a comment every 15 seconds.
 * @param after the last event that the reader knows
 * @see WHATWG HTML §9.2
 */
export function eventStream(
  events: InboxEvents,
  clock: Clock,
  agentId: string,
  after: number | undefined,
): ReadableStream<Uint8Array> {
  const reader = { open: true, stop: (): void => undefined }
  const close = (): void => {
    reader.open = false
    reader.stop()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const end = (): void => {
          if (!reader.open) return
          close()
          controller.close()
        }
        const send = (frame: Uint8Array): void => {
          if (!reader.open) return
          if ((controller.desiredSize ?? 0) < frame.length) end()
          else controller.enqueue(frame)
        }
        reader.stop = events.listen(agentId, after, {
          tell: (event) => {
            send(frameOf(event))
          },
          end,
        })
        void keepAlive(clock, reader, send)
      },
      cancel: close,
    },
    { highWaterMark: MOST_UNREAD, size: (frame) => frame.length },
  )
}

async function keepAlive(
  clock: Clock,
  reader: { readonly open: boolean },
  send: (frame: Uint8Array) => void,
): Promise<void> {
  // The first one says at once that somebody listens.
  while (reader.open) {
    send(PING)
    await clock.sleepUntil(clock.nowMs() + PING_MS)
  }
}
