import { connect, type TLSSocket } from 'node:tls'

const DAY_MS = 86_400_000
const SOON_DAYS = 14
const TIMEOUT_MS = 5000

/** What may be wrong with the address that peers use. */
export type PublicUrlWarning =
  | 'public_url_absent'
  | 'public_url_malformed'
  | 'public_url_not_https'
  | 'public_url_unreachable'
  | 'certificate_refused'
  | 'certificate_expires_soon'
  | 'tls_too_old'

/** How the check reaches the world. */
export type PublicUrlCheck = {
  readonly nowMs: number
  /** Roots in PEM; the system's unless given. */
  readonly ca?: readonly string[]
}

/**
 * Looks at a receiver's public address as a peer would: https, a certificate that verifies for its name and goes on doing
 * so for two weeks, TLS 1.2 or later. It warns; it can't speak for whatever ends TLS there.
 */
export const checkPublicUrl = async (
  text: string | undefined,
  { nowMs, ca }: PublicUrlCheck,
): Promise<readonly PublicUrlWarning[]> => {
  if (text === undefined || text === '') return ['public_url_absent']
  if (!URL.canParse(text)) return ['public_url_malformed']
  const { protocol, hostname, port } = new URL(text)
  if (protocol !== 'https:') return ['public_url_not_https']
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    // An address has no server name; its certificate is checked against the address all the same.
    ...(/[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca: [...ca] }),
    // Looked at, not used: what is wrong with it is to be said.
    rejectUnauthorized: false,
    timeout: TIMEOUT_MS,
  })
  try {
    return (await isConnected(socket)) ? warningsOf(socket, nowMs) : ['public_url_unreachable']
  } finally {
    socket.destroy()
  }
}

const isConnected = (socket: TLSSocket): Promise<boolean> =>
  new Promise((resolve) => {
    const no = (): void => {
      resolve(false)
    }
    socket.once('error', no).once('timeout', no).once('close', no)
    socket.once('secureConnect', () => {
      resolve(true)
    })
  })

const warningsOf = (socket: TLSSocket, nowMs: number): readonly PublicUrlWarning[] => {
  const warnings: PublicUrlWarning[] = []
  if (!socket.authorized) warnings.push('certificate_refused')
  const ends = Date.parse(socket.getPeerCertificate().valid_to)
  if (!(ends - nowMs > SOON_DAYS * DAY_MS)) warnings.push('certificate_expires_soon')
  if (!/^TLSv1\.[23]$/.test(socket.getProtocol() ?? '')) warnings.push('tls_too_old')
  return warnings
}
