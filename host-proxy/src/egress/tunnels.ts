import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.js'
import { sizeClass } from '../exchange.js'
import type { Limits } from '../limits.js'
import type { Log } from '../log.js'
import { UnderWay } from '../under-way.js'
import { type EgressHost, targetOf } from './egress-host.js'
import { openTunnel, type TunnelEnd } from './open-tunnel.js'
import { refuseTunnel } from './refuse-tunnel.js'

/** What tunnels are opened with. */
export type Egress = {
  readonly hosts: readonly EgressHost[]
  readonly limits: Pick<
    Limits,
    'tunnel_idle_ms' | 'tunnel_connect_ms' | 'max_tunnels' | 'grace_ms' | 'tick_ms'
  >
  readonly log: Log
  readonly clock: Clock
}

/** The tunnels of a proxy. */
export type Tunnels = {
  /** Handles `CONNECT host:port`: 200 and a tunnel, 403 off the list, 502 where there is no way, 503 if there are too many. */
  readonly handle: (incoming: IncomingMessage, stream: Duplex, head: Uint8Array) => void
  /** Opens no more, waits for the open ones as long as the grace lasts, then cuts them. */
  readonly stop: () => Promise<void>
}

/**
 * Relays reach the hosts of the list, and no other, through streams that the proxy pipes without looking at them: TLS
 * ends in the relay. Only relays may reach the listener that this is for: it authenticates nobody.
 * @see SPEC §19; RFC 9110 §9.3.6
 */
export const createTunnels = ({ hosts, limits, log, clock }: Egress): Tunnels => {
  const byTarget = new Map(hosts.map((host) => [targetOf(host), host]))
  const open = new UnderWay<Duplex>()
  let stopped = false

  const enter = (incoming: IncomingMessage, stream: Duplex, head: Uint8Array): Promise<TunnelEnd> => {
    const host = byTarget.get(incoming.url ?? '')
    if (host === undefined) return refuse(stream, 403)
    if (stopped || open.all.size >= limits.max_tunnels) return refuse(stream, 503)
    open.begin(stream)
    return openTunnel({ stream, head, host, limits })
  }
  const handle: Tunnels['handle'] = (incoming, stream, head) => {
    const tick = Math.floor(clock() / limits.tick_ms) * limits.tick_ms
    void enter(incoming, stream, head).then(({ status, sentBytes, receivedBytes }) => {
      open.end(stream)
      const request_class = sizeClass(sentBytes)
      log({
        tick,
        route: 'egress',
        key_id: null,
        request_class,
        response_class: sizeClass(receivedBytes),
        status,
      })
    })
  }
  const stop = async (): Promise<void> => {
    stopped = true
    await open.noneWithin(limits.grace_ms)
    for (const stream of open.all) stream.destroy()
    await open.none()
  }
  return { handle, stop }
}

const refuse = (stream: Duplex, status: 403 | 503): Promise<TunnelEnd> => {
  stream.on('error', () => undefined)
  refuseTunnel(stream, status)
  return Promise.resolve({ status, sentBytes: 0, receivedBytes: 0 })
}
