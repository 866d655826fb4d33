import { Agent } from 'node:http'
import { type Clock, hostClock } from './clock.js'
import type { ProxyConfig } from './config.js'
import { controlHandler } from './control-handler.js'
import { listen } from './listener.js'
import { createTunnels } from './egress/tunnels.js'
import type { Log } from './log.js'
import { outerHandler } from './outer-handler.js'
import { Replicas } from './replicas.js'
import { TokenBuckets } from './token-buckets.js'

/** A proxy that runs. */
export type Proxy = {
  /** Origin of the public listener. */
  readonly url: string
  /** Origin of the control listener. */
  readonly controlUrl: string
  /** Lets open exchanges end within the grace, then closes every socket. */
  readonly stop: () => Promise<void>
}

/** Below the 5 s after which a Node replica closes an idle connection, so that no request is written into a closing one. */
const IDLE_UPSTREAM_MS = 2_000

/** What a proxy runs by. */
export type ConfigToRun = Pick<ProxyConfig, 'listen' | 'control' | 'limits'> &
  Partial<Pick<ProxyConfig, 'egress'>>

/**
 * Starts the host-proxy: it forwards ciphertext between participants and relays by the key id in clear, holds no
 * key, parses no envelope and never sends a request twice. Relays reach the hosts of its list through its control listener.
 * @param config the two addresses, the limits, and the hosts that relays may reach; ports 0 let the system choose
 * @param log gets one sighting a request
 * @throws Error if an address cannot be listened on
 * @see SPEC §10
 */
export const startProxy = async (
  { listen: outer, control, limits, egress = [] }: ConfigToRun,
  { log, clock = hostClock }: { readonly log: Log; readonly clock?: Clock },
): Promise<Proxy> => {
  const replicas = new Replicas(clock)
  const agent = new Agent({ keepAlive: true, timeout: IDLE_UPSTREAM_MS })
  const upstream = { agent, timeoutMs: limits.upstream_timeout_ms }
  const buckets = new TokenBuckets({ burst: limits.burst, perSecond: limits.requests_per_second }, clock)
  const handler = outerHandler({ replicas, upstream, buckets, log, clock, tickMs: limits.tick_ms })
  const tunnels = createTunnels({ hosts: egress, limits, log, clock })
  const inward = await listen(control, limits, controlHandler(replicas), tunnels.handle)
  const outward = await listen(outer, limits, handler).catch(async (error: unknown) => {
    await inward.stop()
    throw error
  })
  const stop = async (): Promise<void> => {
    await Promise.all([outward.stop(), tunnels.stop().then(inward.stop)])
    agent.destroy()
  }
  return { url: outward.url, controlUrl: inward.url, stop }
}
