/** What the proxy bears. Times in milliseconds, sizes in octets. */
export type Limits = {
  /** Connections open at once, on the outer listener. */
  readonly max_connections: number
  /** Octets of one request's header section. */
  readonly max_header_bytes: number
  /** Until a request's header section has arrived. */
  readonly headers_timeout_ms: number
  /** Until a whole request has arrived: what a slow client may take. */
  readonly request_timeout_ms: number
  /** Silence of a replica before its exchange is given up; above the 30 s of a long poll. */
  readonly upstream_timeout_ms: number
  /** What an idle connection to a client is kept. */
  readonly keep_alive_ms: number
  /** How long open exchanges may go on after SIGTERM. */
  readonly grace_ms: number
  /** Requests of one remote address at once, and each second in the long run. */
  readonly burst: number
  readonly requests_per_second: number
  /** Tunnels of relays open at once. */
  readonly max_tunnels: number
  /** Until a tunnel's host has accepted. */
  readonly tunnel_connect_ms: number
  /** Silence in a tunnel before it is cut; above the two minutes that a relay waits for a model. */
  readonly tunnel_idle_ms: number
  /** What time is rounded down to in the log. */
  readonly tick_ms: number
}

/** What a configuration that names no limit gets. */
export const DEFAULT_LIMITS: Limits = {
  max_connections: 1024,
  max_header_bytes: 8192,
  headers_timeout_ms: 10_000,
  request_timeout_ms: 30_000,
  upstream_timeout_ms: 60_000,
  keep_alive_ms: 60_000,
  grace_ms: 5_000,
  burst: 100,
  requests_per_second: 50,
  max_tunnels: 256,
  tunnel_connect_ms: 5_000,
  tunnel_idle_ms: 150_000,
  tick_ms: 1_000,
}
