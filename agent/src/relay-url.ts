import { AgentError } from './agent-error.js'

/**
 * The address of a relay's proxy in one spelling, without a slash at the end.
 * @throws AgentError `url_malformed` on another scheme than http and https, a user, a query, a fragment.
 */
export const parseRelayUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === null || !isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new AgentError('url_malformed', 'a relay is named by an http or https address')
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}
