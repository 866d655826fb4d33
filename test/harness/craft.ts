import type { AttestedRelay, Identity, SealedRequest, Session } from '@parley/agent'
import {
  canonicalBytes,
  contentDigest,
  COVERED_COMPONENTS,
  encodeRequest,
  fromBase64url,
  type HeaderField,
  type HttpRequest,
  type JsonObject,
  offerDigest,
  paddedRequestLength,
  parseKeyConfigs,
  type Role,
  sha256,
  SIGNATURE_TAG,
  signRequest,
  startRequest,
  toHex,
} from '@parley/protocol'

/** What a signed request says of its author, each as its field spells it. */
export type Fields = {
  readonly session: string
  readonly role: Role
  readonly seq: string
  readonly offer: string
}

/** The fields that a participant would honestly send now; its number is used up by that. */
export const fieldsOf = async (session: Session): Promise<Fields> => {
  const { session_id, role, offer } = session.file.record
  const seq = await session.file.nextSeq()
  const digest = offer === null ? 'none' : offerDigest(offer)
  return { session: session_id, role, seq: String(seq), offer: digest }
}

/** A request as a participant signs it, for one encapsulated key. */
export const signedFor = (
  enc: Uint8Array,
  { key, did }: Identity,
  asked: { readonly path: string; readonly body: JsonObject },
  fields: Fields,
  components: readonly string[] = COVERED_COMPONENTS,
): HttpRequest => {
  const content = canonicalBytes(asked.body)
  const created = Math.floor(Date.now() / 1000)
  const headers: HeaderField[] = [
    ['content-type', 'application/json'],
    ['content-digest', contentDigest(content)],
    ['date', new Date(created * 1000).toUTCString()],
    ['parley-session', fields.session],
    ['parley-role', fields.role],
    ['parley-seq', fields.seq],
    ['parley-offer', fields.offer],
    ['parley-enc', toHex(sha256(enc))],
  ]
  const request = {
    method: 'POST',
    scheme: 'https',
    authority: 'relay',
    path: asked.path,
    headers,
    content,
  }
  return signRequest(request, { key, keyId: did, created, tag: SIGNATURE_TAG, components })
}

/** Seals whatever request somebody makes for an encapsulated key, as nobody of the SDK would. */
export const encapsulate = (
  { keyset }: AttestedRelay['keyset'],
  make: (enc: Uint8Array) => HttpRequest,
): SealedRequest => {
  const [config] = parseKeyConfigs(fromBase64url(keyset.ohttp_keys))
  if (config === undefined) throw new Error('a keyset without a key')
  const { enc, seal, open } = startRequest(config)
  const message = seal(encodeRequest(make(enc), paddedRequestLength))
  return { message, encapsulation: toHex(sha256(message)), open }
}

/** A request with one field said otherwise, after it was signed. */
export const withField = (request: HttpRequest, name: string, value: string): HttpRequest => ({
  ...request,
  headers: request.headers.map(([each, said]) => [each, each === name ? value : said]),
})
