import type { Clock } from '../../clock.js'
import type { Connect } from './connect.js'
import type { Send } from './exchange.js'
import { type Endpoint, openChannel } from './open-channel.js'
import { postOver } from './post-over.js'
import { whenOver } from './when-over.js'

/** Where requests go, and how they get there. */
export type Way = {
  readonly endpoint: Endpoint
  readonly connect: Connect
  readonly clock: Pick<Clock, 'nowMs' | 'sleepUntil'>
  /** How long a channel may take to open. */
  readonly connectMs: number
}

/** Sends each request over a channel of its own. */
export const sendOver =
  ({ endpoint, connect, clock, connectMs }: Way): Send =>
  async (request, signal) => {
    const opening = whenOver(clock, connectMs)
    const cut = new AbortController()
    const end = (): void => {
      cut.abort()
    }
    signal.addEventListener('abort', end, { once: true })
    opening.signal.addEventListener('abort', end, { once: true })
    const channel = await openChannel(endpoint, connect, cut.signal)
    opening.signal.removeEventListener('abort', end)
    const exchange = 'kind' in channel ? channel : await postOver(channel, authority(endpoint), request)
    signal.removeEventListener('abort', end)
    return exchange
  }

const authority = ({ host, port, protection }: Endpoint): string => {
  const name = host.includes(':') ? `[${host}]` : host
  return port === (protection.kind === 'tls' ? 443 : 80) ? name : `${name}:${port}`
}
