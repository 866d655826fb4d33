import { KDS_URL } from '../../collateral/collateral-item.js'
import type { AskKds } from '../../collateral/obtain.js'
import { AttestationError } from '../../errors.js'
import { processTimer, type Timer } from '../timer.js'
import { type HttpAnswer, type HttpGet, httpGet } from './http-get.js'

/** How to ask KDS; what is left out is as its own limits suggest. */
export type KdsOptions = {
  /** Where it, or a mirror of it, is: https, or http on this machine. */
  readonly url?: string
  /** The time, for a Retry-After that is a date; milliseconds since 1970. */
  readonly nowMs: number
  readonly get?: HttpGet
  readonly timer?: Timer
}

const LIMITS = { timeoutMs: 15_000, maxBytes: 1 << 16 }
const MOST_TRIES = 4
/** KDS answers about one request in ten seconds from one address. */
const FIRST_WAIT_MS = 10_000
const LONGEST_WAIT_MS = 60_000

const failure = (code: 'collateral_unavailable' | 'collateral_throttled', what: string): AttestationError =>
  new AttestationError(code, what)

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

const checkUrl = (url: string): string => {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname)))
    return url.replace(/\/+$/, '')
  throw new AttestationError('argument_invalid', 'KDS is asked by https, or by http on this machine')
}

/** How long an answer asks to wait (RFC 9110 §10.2.3), or what it says nothing about. */
const waitOf = ({ retryAfter }: HttpAnswer, otherwise: number, nowMs: number): number => {
  if (retryAfter === null) return otherwise
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? otherwise : Math.max(0, date - nowMs)
}

/** Bytes; or that there is no use in trying again; or that there is, and after how long. */
type Outcome =
  | { readonly bytes: Uint8Array }
  | { readonly failed: AttestationError; readonly waitMs: number | null }

const judge = (answer: HttpAnswer, otherwise: number, nowMs: number): Outcome => {
  const { status, body } = answer
  if (status === 200) return { bytes: body }
  if (status === 429) {
    const waitMs = waitOf(answer, otherwise, nowMs)
    const failed = failure('collateral_throttled', 'KDS answers no more requests for now')
    return { failed, waitMs: waitMs > LONGEST_WAIT_MS ? null : waitMs }
  }
  const failed = failure('collateral_unavailable', `KDS answered with status ${status}`)
  return { failed, waitMs: status >= 500 ? otherwise : null }
}

/**
 * Asks KDS, within bounds: of one request in time and size, and of all tries together. What it answers is not looked
 * at here.
 * @throws AttestationError argument_invalid for a URL that is neither https nor this machine
 */
export const askKds = ({ url = KDS_URL, nowMs, get = httpGet, timer = processTimer }: KdsOptions): AskKds => {
  const base = checkUrl(url)
  const tryOnce = async (path: string, otherwise: number): Promise<Outcome> => {
    try {
      return judge(await get(`${base}${path}`, LIMITS), otherwise, nowMs)
    } catch {
      return { failed: failure('collateral_unavailable', 'KDS did not answer'), waitMs: otherwise }
    }
  }
  return async (path) => {
    for (let tries = 1; ; tries++) {
      const outcome = await tryOnce(path, FIRST_WAIT_MS * 2 ** (tries - 1))
      if ('bytes' in outcome) return outcome.bytes
      const { failed, waitMs } = outcome
      if (waitMs === null || tries === MOST_TRIES) throw failed
      await timer.wait(waitMs)
    }
  }
}
