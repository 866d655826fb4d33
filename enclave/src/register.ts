import { JSON_TYPE, type JsonObject, OUTER_PATHS } from '@parley/protocol'
import type { Clock } from './clock.js'
import type { Log } from './log.js'
import { RelayError } from './relay-error.js'

const DRAWS = 16
const ATTEMPTS = 15
const INTERVAL_MS = 2000
const TIMEOUT_MS = 5000

/** Where to register, and as whom. */
export type Registration = {
  /** The host-proxy's URL; null: there is none to register with. */
  readonly proxy: string | null
  /** Where the host-proxy reaches the relay. */
  readonly url: string
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

/** 'taken': the id belongs to another replica; 'unreachable': no answer that means anything. */
type Answer = 'registered' | 'taken' | 'unreachable'

/**
 * Draws a key id that no other replica has. It comes before the keyset, which holds it for good.
 * @throws RelayError `key_ids_exhausted` after 16 draws; `proxy_unreachable` after 15 attempts, 2 s apart
 */
export async function claimKeyId(registration: Registration): Promise<number> {
  const { proxy, random } = registration
  for (let draw = 0; draw < DRAWS; draw++) {
    const [keyId = 0] = random(1)
    if (proxy === null || (await claim(registration, proxy, keyId)) === 'registered') return keyId
  }
  throw new RelayError('key_ids_exhausted', `${DRAWS} key ids are all in use`)
}

async function claim({ url, clock }: Registration, proxy: string, keyId: number): Promise<Answer> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await post(proxy, { key_id: keyId, url }, AbortSignal.timeout(TIMEOUT_MS))
    if (answer !== 'unreachable') return answer
    await clock.sleepUntil(clock.nowMs() + INTERVAL_MS)
  }
  throw new RelayError('proxy_unreachable', `the host-proxy does not answer after ${ATTEMPTS} attempts`)
}

/**
 * Repeats a registration until it is stopped, since a host-proxy forgets replicas that fall silent.
 * @returns stops it
 */
export function keepRegistered({ proxy, url, clock }: Registration, keyId: number, log: Log): () => void {
  const stopping = new AbortController()
  const stopped = (): boolean => stopping.signal.aborted
  const beat = async (at: string): Promise<void> => {
    let known = true
    while (!stopped()) {
      await clock.sleepUntil(clock.nowMs() + INTERVAL_MS)
      const late = AbortSignal.timeout(TIMEOUT_MS)
      // On Node 20 a garbage collection silences a timeout that only AbortSignal.any listens to.
      late.addEventListener('abort', () => undefined)
      const signal = AbortSignal.any([stopping.signal, late])
      const registered = (await post(at, { key_id: keyId, url }, signal)) === 'registered'
      if (registered !== known && !stopped())
        log({ event: registered ? 'registered' : 'registration_lost', key_id: keyId })
      known = registered
    }
  }
  if (proxy !== null) {
    log({ event: 'registered', key_id: keyId })
    void beat(proxy)
  }
  return () => {
    stopping.abort()
  }
}

async function post(proxy: string, replica: JsonObject, signal: AbortSignal): Promise<Answer> {
  try {
    const answer = await fetch(`${proxy.replace(/\/$/, '')}${OUTER_PATHS.replicas}`, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(replica),
      redirect: 'error',
      signal,
    })
    await answer.body?.cancel()
    if (answer.status === 201) return 'registered'
    return answer.status === 409 ? 'taken' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}
