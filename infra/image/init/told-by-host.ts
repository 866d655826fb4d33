import { setTimeout as sleep } from 'node:timers/promises'
import { BootError } from './boot-error.js'

const URL_OF_ATTRIBUTE = 'http://169.254.169.254/computeMetadata/v1/instance/attributes/parley-relay'
const MEMBERS = ['advertise_url', 'listen', 'proxy']
const MAX_BYTES = 4096
const ATTEMPTS = 30

/** Where the host keeps what it tells its machines. */
export const METADATA_ADDRESS = Buffer.from([169, 254, 169, 254])

/** What the host may say: where to listen and where the host-proxy is. The relay reads the values strictly. */
export type ToldByHost = { readonly listen: unknown; readonly proxy: string; readonly advertise_url: unknown }

/** Asks the host. @throws BootError configuration_refused, network_failed */
export async function askHost(): Promise<ToldByHost> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const text = await get().catch(() => null)
    if (text !== null) return parseToldByHost(text)
    await sleep(1000)
  }
  throw new BootError('network_failed', 'the host does not say how to listen')
}

async function get(): Promise<string | null> {
  const answer = await fetch(URL_OF_ATTRIBUTE, {
    headers: { 'metadata-flavor': 'Google' },
    redirect: 'error',
    signal: AbortSignal.timeout(5000),
  })
  const text = await answer.text()
  return answer.status === 200 ? text : null
}

/**
 * Exactly the three members. Any other would be the host's way to where records, policy or certificates come from.
 * @throws BootError configuration_refused
 */
export function parseToldByHost(text: string): ToldByHost {
  const value = readObject(text)
  const names = Object.keys(value).sort()
  if (names.length !== MEMBERS.length || names.some((name, at) => name !== MEMBERS[at]))
    throw refused(`not exactly ${MEMBERS.join(', ')}`)
  const { listen, proxy, advertise_url } = value
  if (typeof proxy !== 'string') throw refused('proxy is no text')
  return { listen, proxy, advertise_url }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_BYTES) throw refused(`over ${MAX_BYTES} characters`)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    throw refused('no JSON')
  }
  throw refused('no object')
}

/** The host-proxy's address: a name would have to be looked up, and there is nobody to ask. @throws BootError */
export function proxyAddress({ proxy }: ToldByHost): Buffer {
  const host = URL.canParse(proxy) ? new URL(proxy).hostname : ''
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) throw refused('proxy is not at an IPv4 address')
  return Buffer.from(host.split('.').map(Number))
}

const refused = (what: string): BootError =>
  new BootError('configuration_refused', `what the host says of this relay: ${what}`)
