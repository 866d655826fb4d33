import { type EgressHost, readEgressHosts } from './egress/egress-host.js'
import { DEFAULT_LIMITS, type Limits } from './limits.js'
import { strictInteger, strictObject } from './strict-object.js'

/** Where a listener listens; port 0 lets the system choose. */
export type Address = { readonly host: string; readonly port: number }

/** What `parley-proxy --config FILE` reads. */
export type ProxyConfig = {
  /** The public listener. */
  readonly listen: Address
  /** Where replicas register. Only relays may reach it: it authenticates nobody. */
  readonly control: Address
  /** File to append the log to; null for standard output. */
  readonly log: string | null
  /** The only hosts that relays reach through the control listener's tunnel. */
  readonly egress: readonly EgressHost[]
  readonly limits: Limits
}

const LIMIT_NAMES = Object.keys(DEFAULT_LIMITS)

/**
 * Reads a configuration; every limit that it leaves out has its default, and without `egress` no host is reached.
 * @throws Error that names the member which is missing, unknown or wrong.
 */
export const parseConfig = (text: string): ProxyConfig => {
  const config = strictObject(parse(text), 'config', {
    required: ['listen', 'control', 'log', 'limits'],
    optional: ['egress'],
  })
  return {
    listen: address(config['listen'], 'listen'),
    control: address(config['control'], 'control'),
    log: logPath(config['log']),
    egress: readEgressHosts(config['egress'] === undefined ? [] : config['egress']),
    limits: limits(config['limits']),
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('config is not JSON')
  }
}

const address = (value: unknown, what: string): Address => {
  const { host, port } = strictObject(value, what, { required: ['host', 'port'] })
  if (typeof host !== 'string' || host === '') throw new Error(`${what}.host is not a host`)
  return { host, port: strictInteger(port, `${what}.port`, 0, 65_535) }
}

const logPath = (value: unknown): string | null => {
  if (value === null || (typeof value === 'string' && value !== '')) return value
  throw new Error('log is neither a path nor null')
}

const limits = (value: unknown): Limits => {
  const named = strictObject(value, 'limits', { required: [], optional: LIMIT_NAMES })
  for (const [name, limit] of Object.entries(named)) strictInteger(limit, `limits.${name}`, 1)
  const read = { ...DEFAULT_LIMITS, ...named }
  if (read.headers_timeout_ms > read.request_timeout_ms)
    throw new Error('limits.headers_timeout_ms is over limits.request_timeout_ms')
  return read
}
