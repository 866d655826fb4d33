import { AgentError } from '../agent-error.js'

/** Where a receiver takes tasks. */
export const TASK_PATH = '/v1/a2a/task'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True for a name of this machine alone. */
export const isLoopback = (host: string): boolean =>
  LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/**
 * A receiver's address in one spelling; {@link TASK_PATH} is added where it names no path.
 * @throws AgentError `url_malformed` on anything but https, and http to this machine; on a user, a query, a fragment.
 */
export const parseTaskUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === null || !isPlain) throw malformed()
  // Tasks are authenticated by themselves, but nothing hides them on the way except TLS.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) throw malformed()
  return url.pathname === '/' ? `${url.origin}${TASK_PATH}` : `${url.origin}${url.pathname}`
}

const malformed = (): AgentError =>
  new AgentError('url_malformed', 'a receiver is named by an https address, or by http on this machine')
