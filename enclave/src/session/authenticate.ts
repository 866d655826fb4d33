import {
  COVERED_COMPONENTS,
  type Ed25519PublicKey,
  equalBytes,
  fieldValues,
  fromHex,
  type HttpRequest,
  parseDid,
  type Role,
  ROLES,
  sha256,
  SIGNATURE_TAG,
  verifyRequest,
} from '@parley/protocol'
import type { Clock } from '../clock.js'
import { parseHttpDate } from './http-date.js'
import type { InnerContext } from './inner-context.js'
import { orRefuse, refuse, type Refused } from './refuse.js'

/** Who signed a request, and what the signed fields say. Only {@link authenticate} makes one. */
export type Caller = {
  readonly did: string
  readonly publicKey: Ed25519PublicKey
  /** Lower-case hex of 32 octets; null where the field says `none`. */
  readonly sessionId: string | null
  readonly role: Role
  readonly seq: number
  /** The digest of the offer under which the caller acts; null where the field says `none`. */
  readonly offerDigest: string | null
}

type Bounds = { readonly clock: Clock; readonly windowSeconds: number }

/**
 * Verifies an inner request: signature over exactly the covered components, content digest, the encapsulation that
 * it was made for, and the date window.
 */
export function authenticate(request: HttpRequest, context: InnerContext, bounds: Bounds): Caller | Refused {
  const signer = orRefuse('http_signature_invalid', () =>
    verifyRequest(request, { tag: SIGNATURE_TAG, components: COVERED_COMPONENTS, lookup: keyOf }),
  )
  if ('refused' in signer) return signer
  const field = (name: string): string => fieldValues(request.headers, name)[0] ?? ''
  // A signed request that was lifted out of one encapsulation into another fails here.
  if (!namesEncapsulation(field('parley-enc'), context)) return refuse('http_signature_invalid')
  const stale = staleTime(field('date'), signer.created, bounds)
  return stale ?? readCaller(signer.keyId, field)
}

const keyOf = (keyId: string): Ed25519PublicKey | undefined => {
  try {
    return parseDid(keyId).publicKey
  } catch {
    return undefined
  }
}

const namesEncapsulation = (field: string, { enc }: InnerContext): boolean => {
  const digest = sha256(enc)
  return /^[0-9a-f]{64}$/.test(field) && equalBytes(fromHex(field), digest)
}

const staleTime = (date: string, created: number, { clock, windowSeconds }: Bounds): Refused | undefined => {
  const sent = parseHttpDate(date)
  if (sent === undefined) return refuse('request_malformed', 'date')
  const now = clock.nowSeconds()
  const within = [sent, created].every((time) => Math.abs(now - time) <= windowSeconds)
  return within ? undefined : refuse('date_out_of_window')
}

const DIGEST = /^[0-9a-f]{64}$/
const SEQ = /^(?:0|[1-9][0-9]{0,15})$/

const readCaller = (did: string, field: (name: string) => string): Caller | Refused => {
  const publicKey = keyOf(did)
  const role = ROLES.find((each) => each === field('parley-role'))
  const seq = SEQ.test(field('parley-seq')) ? Number(field('parley-seq')) : NaN
  const sessionId = digestOrNone(field('parley-session'))
  const offerDigest = digestOrNone(field('parley-offer'))
  if (publicKey === undefined || role === undefined) return refuse('request_malformed', 'parley-role')
  if (!Number.isSafeInteger(seq)) return refuse('request_malformed', 'parley-seq')
  if (sessionId === undefined || offerDigest === undefined)
    return refuse('request_malformed', 'parley-session or parley-offer')
  return { did, publicKey, sessionId, role, seq, offerDigest }
}

const digestOrNone = (text: string): string | null | undefined => {
  if (text === 'none') return null
  return DIGEST.test(text) ? text : undefined
}
