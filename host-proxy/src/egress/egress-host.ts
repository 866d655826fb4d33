import { strictInteger, strictObject } from '../strict-object.js'

/** A host that relays may reach through the proxy. */
export type EgressHost = { readonly host: string; readonly port: number }

const MAX_HOSTS = 64
// Names and IPv4 addresses; what an IPv6 address needs brackets for.
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])$/

/**
 * Reads the allow-list of a configuration.
 * @throws Error that names the row
 */
export const readEgressHosts = (value: unknown): readonly EgressHost[] => {
  if (!Array.isArray(value) || value.length > MAX_HOSTS)
    throw new Error(`egress is not a list of up to ${MAX_HOSTS}`)
  return value.map((row: unknown, at) => {
    const { host, port } = strictObject(row, `egress[${at}]`, { required: ['host', 'port'] })
    if (typeof host !== 'string' || !HOST.test(host))
      throw new Error(`egress[${at}].host is not a host in lower case`)
    return { host, port: strictInteger(port, `egress[${at}].port`, 1, 65_535) }
  })
}

/** What a CONNECT request must ask for, letter by letter, to reach a host. */
export const targetOf = ({ host, port }: EgressHost): string => `${host}:${port}`
