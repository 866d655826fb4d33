import type { IncomingMessage } from 'node:http'
import { JSON_TYPE, MAX_MESSAGE_BYTES, OHTTP_REQUEST_TYPE, OUTER_PATHS } from '@parley/protocol/routes'

/** What can be asked of the proxy. */
export type Route = 'ohttp' | 'evidence' | 'health'

/** A request as the outer listener understands it. */
export type Asked = {
  readonly route: Route
  /** The path that the replica is asked for. */
  readonly path: string
  /** The `key_id` of the query, where an evidence request names a replica. */
  readonly keyId: number | undefined
  /** The largest body of this route, in octets. */
  readonly maxBodyBytes: number
}

/** The largest body of an evidence request: a nonce in JSON, with room. */
export const MAX_EVIDENCE_REQUEST_BYTES = 4096

const KEY_ID_QUERY = /^key_id=(0|[1-9][0-9]{0,2})$/

/** Matches method, path, query and media type exactly; undefined for everything that is not on the list. */
export const readRoute = ({ method, url = '', headers }: IncomingMessage): Asked | undefined => {
  const [path, query, ...rest] = url.split('?')
  if (rest.length > 0) return undefined
  if (method === 'GET' && hasBody(headers)) return undefined
  const type = method === 'POST' ? headers['content-type'] : undefined
  if (method === 'POST' && path === OUTER_PATHS.ohttp && type === OHTTP_REQUEST_TYPE && query === undefined)
    return { route: 'ohttp', path, keyId: undefined, maxBodyBytes: MAX_MESSAGE_BYTES }
  if (method === 'GET' && path === OUTER_PATHS.health && query === undefined)
    return { route: 'health', path, keyId: undefined, maxBodyBytes: 0 }
  if (path === OUTER_PATHS.evidence && (method === 'GET' || type === JSON_TYPE)) return evidence(path, query)
  return undefined
}

const evidence = (path: string, query: string | undefined): Asked | undefined => {
  const asked = { route: 'evidence' as const, path, maxBodyBytes: MAX_EVIDENCE_REQUEST_BYTES }
  if (query === undefined) return { ...asked, keyId: undefined }
  const keyId = Number(KEY_ID_QUERY.exec(query)?.[1])
  return keyId <= 255 ? { ...asked, keyId } : undefined
}

const hasBody = (headers: IncomingMessage['headers']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
