import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sha256, utf8 } from '@parley/protocol'

/** Who may read, and what is asked for: or the status that says no. */
export type Admitted =
  | { readonly runId: string; readonly after: number }
  | { readonly status: 400 | 401 | 404 }

const PATH = /^\/v1\/runs\/([A-Za-z0-9._:@-]{1,128})\/events$/
const NUMBER = /^(?:0|[1-9][0-9]{0,14})$/
const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?$/

/**
 * Admits a reader by its bearer token. A page in a browser can reach a loopback port under a name of its own: whoever
 * does not call this host by a loopback name is refused, and no answer carries a permission for another origin.
 */
export const admitReader = (request: IncomingMessage, token: string): Admitted => {
  const { method, url = '', headers } = request
  const isLocal = LOOPBACK.test(headers.host ?? '') && headers.origin === undefined
  if (!isLocal || !isSame(headers.authorization ?? '', `Bearer ${token}`)) return { status: 401 }
  const [, runId] = PATH.exec(url) ?? []
  if (method !== 'GET' || runId === undefined) return { status: 404 }
  const last = headers['last-event-id']
  if (last === undefined) return { runId, after: -1 }
  return typeof last === 'string' && NUMBER.test(last) ? { runId, after: Number(last) } : { status: 400 }
}

// Of digests, so that the time tells nothing of the length either.
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(sha256(utf8(one)), sha256(utf8(other)))
