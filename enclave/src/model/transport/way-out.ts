import type { RelayConfig } from '../../config.js'
import { RelayError } from '../../relay-error.js'
import { type Connect, connectDirectly } from './connect.js'
import { connectByTunnel } from './connect-by-tunnel.js'

const HTTP_PORT = 80

/**
 * How a relay reaches other machines: straight, or in the confidential profile through the host-proxy that it registers
 * with. Without one there is no way.
 */
export const wayOut = ({ profile, proxy }: Pick<RelayConfig, 'profile' | 'proxy'>): Connect => {
  if (profile === 'software') return connectDirectly
  if (proxy === null)
    return () => Promise.reject(new RelayError('proxy_unreachable', 'there is no host-proxy'))
  const { hostname, port } = new URL(proxy)
  const host = hostname.replace(/^\[|\]$/g, '')
  return connectByTunnel({ host, port: port === '' ? HTTP_PORT : Number(port) })
}
