import { createServer, type Server } from 'node:http'
import type { LiveEvents } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { admitReader } from './admit-reader.js'
import { sendEvents } from './event-reader.js'

const LIMITS = { maxHeaderSize: 8192, headersTimeout: 10_000, requestTimeout: 30_000 }
const MOST_READERS = 64
const LEAST_TOKEN = 32
// More than all that is kept of a run, so that a reader that comes late is not dropped for that.
const MOST_WAITING_BYTES = 16 * 1024 * 1024

/** What a listener for live events is opened with. */
export type EventListenerOptions = {
  /** The live events of a run; undefined where there is no such run. */
  readonly runs: (runId: string) => LiveEvents | undefined
  /** 32 characters or more that only the owner's own programs know. */
  readonly token: string
  /** 0, the default, lets the system choose. */
  readonly port?: number
  /** Octets that may wait for a reader before it is dropped; 16 MiB if not given. */
  readonly mostWaiting?: number
}

/** A listener for live events. */
export type EventListener = {
  /** `GET /v1/runs/RUN/events` under it, with `Authorization: Bearer TOKEN`, and `Last-Event-ID` to go on. */
  readonly url: string
  /** Drops all readers. */
  readonly close: () => Promise<void>
}

/**
 * Serves the live events of an agent's runs on loopback, in memory and apart from the durable records.
 * @throws AgentError `argument_invalid` on a short token, or where it can't listen
 * @see protocol SPEC "Effect gate"
 */
export const openEventListener = async (options: EventListenerOptions): Promise<EventListener> => {
  const { runs, token, port = 0, mostWaiting = MOST_WAITING_BYTES } = options
  if (token.length < LEAST_TOKEN)
    throw new AgentError('argument_invalid', `a token has ${LEAST_TOKEN} characters or more`)
  const server = createServer(LIMITS, (request, response) => {
    const asked = admitReader(request, token)
    const live = 'status' in asked ? undefined : runs(asked.runId)
    if ('status' in asked || live === undefined)
      response.writeHead('status' in asked ? asked.status : 404, { 'cache-control': 'no-store' }).end()
    else sendEvents(response, { live, after: asked.after, mostWaiting })
  })
  server.maxConnections = MOST_READERS
  await listen(server, port)
  const bound = server.address()
  const taken = typeof bound === 'object' && bound !== null ? bound.port : port
  return { url: `http://127.0.0.1:${taken}`, close: () => close(server) }
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', () => {
      reject(new AgentError('argument_invalid', `can't listen on port ${port}`))
    })
    server.listen({ host: '127.0.0.1', port }, resolve)
  })

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
