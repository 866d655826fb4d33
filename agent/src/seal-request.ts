import {
  canonicalBytes,
  contentDigest,
  COVERED_COMPONENTS,
  encodeRequest,
  fromBase64url,
  type HeaderField,
  type HttpRequest,
  JSON_TYPE,
  type JsonObject,
  MAX_MESSAGE_BYTES,
  paddedRequestLength,
  parseKeyConfigs,
  ProtocolError,
  REQUEST_OVERHEAD_BYTES,
  type Role,
  sha256,
  SIGNATURE_TAG,
  signRequest,
  startRequest,
  toHex,
} from '@parley/protocol'
import type { AttestedKeyset } from '@parley/verifier'
import { AgentError } from './agent-error.js'
import type { Identity } from './identity.js'

/** What is asked of a relay, inside the encapsulation. */
export type InnerRequest =
  | { readonly method: 'GET'; readonly path: string; readonly waitSeconds: number }
  | {
      readonly method: 'POST'
      readonly path: string
      readonly body: JsonObject
      /** Octets that no body of this kind exceeds, where the size class must say nothing of this one. */
      readonly mostBytes?: number
    }

/** Who asks, in which session. */
export type Author = {
  readonly identity: Identity
  readonly role: Role
  /** Null before there is a session. */
  readonly sessionId: string | null
  /** The digest of the offer under which the author acts; null before there is one. */
  readonly offerDigest: string | null
  /** Grows with every request of this participant in this session. */
  readonly seq: number
  readonly nowSeconds: number
}

/** An encapsulated request. It can be made for an {@link AttestedKeyset} only, and is sent once. */
export type SealedRequest = {
  readonly message: Uint8Array
  /** Lower-case hex SHA-256 of the message: what transcript and refusals call it. */
  readonly encapsulation: string
  /** The binary HTTP bytes of the answer to this request. */
  readonly open: (message: Uint8Array) => Uint8Array
}

/**
 * Signs a request, bound to the encapsulation that carries it, pads it to a size class and seals it.
 * @throws AgentError `keyset_expired` outside the keyset's dates.
 * @throws ProtocolError `too_large` over 2 MiB.
 * @see SPEC §10; RFC 9458 §4.3; RFC 9421 §3.1
 */
export const sealRequest = (attested: AttestedKeyset, asked: InnerRequest, author: Author): SealedRequest => {
  const { not_before, not_after, ohttp_keys } = attested.keyset
  if (author.nowSeconds < not_before || author.nowSeconds > not_after)
    throw new AgentError('keyset_expired', 'the keyset is outside its dates')
  const [config] = parseKeyConfigs(fromBase64url(ohttp_keys))
  if (config === undefined) throw new ProtocolError('ohttp_malformed', 'there is no key configuration')
  const { enc, seal, open } = startRequest(config)
  const request = signRequest(unsigned(asked, author, enc), {
    key: author.identity.key,
    keyId: author.identity.did,
    created: author.nowSeconds,
    tag: SIGNATURE_TAG,
    components: COVERED_COMPONENTS,
  })
  const message = seal(encodeRequest(request, paddedFor(asked, request.content.length)))
  return { message, encapsulation: toHex(sha256(message)), open }
}

// The length of the content stands before it, in up to eight octets.
const LENGTH_BYTES = 8

/** Pads as if the content were the longest of its kind. */
const paddedFor =
  (asked: InnerRequest, contentBytes: number) =>
  (length: number): number => {
    const most = asked.method === 'POST' ? (asked.mostBytes ?? 0) : 0
    const longest = length - contentBytes + most + LENGTH_BYTES
    const largest = MAX_MESSAGE_BYTES - REQUEST_OVERHEAD_BYTES
    return paddedRequestLength(most === 0 ? length : Math.max(length, Math.min(longest, largest)))
  }

const unsigned = (asked: InnerRequest, author: Author, enc: Uint8Array): HttpRequest => {
  const content = asked.method === 'POST' ? canonicalBytes(asked.body) : new Uint8Array(0)
  const headers: HeaderField[] = [
    ...ofMethod(asked),
    ['content-digest', contentDigest(content)],
    ['date', new Date(author.nowSeconds * 1000).toUTCString()],
    ['parley-session', author.sessionId ?? 'none'],
    ['parley-role', author.role],
    ['parley-seq', String(author.seq)],
    ['parley-offer', author.offerDigest ?? 'none'],
    // A host that could open nothing can still not move this request to another encapsulation.
    ['parley-enc', toHex(sha256(enc))],
  ]
  return { method: asked.method, scheme: 'https', authority: 'relay', path: asked.path, headers, content }
}

const ofMethod = (asked: InnerRequest): HeaderField[] => {
  if (asked.method === 'POST') return [['content-type', JSON_TYPE]]
  return asked.waitSeconds > 0 ? [['prefer', `wait=${asked.waitSeconds}`]] : []
}
