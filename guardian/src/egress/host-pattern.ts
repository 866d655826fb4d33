const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
// Two labels or more, the last of them no number: neither an address nor a name that only this machine knows.
const HOST_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)+(?=[a-z])${LABEL}$`)
const WILD = '*.'

/** True for a DNS name in lower case, without a dot at its end. */
export const isHostName = (text: string): boolean => HOST_NAME.test(text)

/** True for a host name, or `*.` and one: every name below it, and not that one itself. */
export const isHostPattern = (text: string): boolean =>
  isHostName(text.startsWith(WILD) ? text.slice(WILD.length) : text)

/** True if a host name is one that the pattern means. */
export const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith(WILD) ? host.endsWith(pattern.slice(1)) : host === pattern
