import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  COVERED_COMPONENTS,
  canonicalBytes,
  encodeResponse,
  fieldValues,
  type HttpRequest,
  type HttpResponse,
  isJsonObject,
  type JsonValue,
  type OpenedRequest,
  openRequest,
  paddedResponseLength,
  parseCanonicalJson,
  parseDid,
  parseRequest,
  REFUSALS,
  type RefusalCode,
  responseNonceBytes,
  type Role,
  sha256,
  signRefusal,
  toHex,
  verifyRequest,
} from '@parley/protocol'
import { onTestFinished } from 'vitest'
import { type DoubleKeys, evidenceOf } from './keys.js'
import { type Answered, DoubleSession, type Faults, type Inner } from './session.js'

/** What a test may do to the way between participant and relay, and to the relay's answers. */
export type Tampering = Faults & {
  /** Another evidence document. */
  evidence?: (nonce: string) => JsonValue
  /** A refusal in place of the answer. */
  refuse?: (inner: Inner) => RefusalCode | undefined
  /** Does something else with an outer request; true if it has. */
  outer?: (path: string, outgoing: ServerResponse, body: Uint8Array) => boolean
  /** Another inner response. */
  inner?: (response: HttpResponse, encapsulation: string) => HttpResponse
  /** Another encapsulated response. */
  sealed?: (message: Uint8Array) => Uint8Array
  /** Called when an inner request has been verified, before it is answered. */
  onInner?: (inner: Inner) => void | Promise<void>
}

/** The remote relay as a participant sees it: real OHTTP, real signatures, and faults where a test wants them. */
export type RelayDouble = {
  readonly url: string
  readonly keys: DoubleKeys
  readonly tampering: Tampering
  /** Each inner request that was opened and verified. */
  readonly inner: Inner[]
  /** Path and query of each outer request. */
  readonly outer: string[]
  session: DoubleSession
}

export const startRelay = async (keys: DoubleKeys, tampering: Tampering = {}): Promise<RelayDouble> => {
  const relay = {
    url: '',
    keys,
    tampering,
    inner: [] as Inner[],
    outer: [] as string[],
    session: new DoubleSession(keys, tampering),
  }
  const server = createServer((incoming, outgoing) => {
    handle(relay, incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  relay.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return relay
}

const handle = async (
  relay: RelayDouble,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = new Uint8Array(Buffer.concat(chunks))
  const path = incoming.url ?? ''
  relay.outer.push(path)
  if (relay.tampering.outer?.(path, outgoing, body) === true) return
  if (path.startsWith('/evidence')) answerEvidence(relay, body, outgoing)
  else await answerSealed(relay, body, outgoing)
}

const answerEvidence = (
  { keys, tampering }: RelayDouble,
  body: Uint8Array,
  outgoing: ServerResponse,
): void => {
  const asked = parseCanonicalJson(body)
  const nonce = isJsonObject(asked) && typeof asked['nonce'] === 'string' ? asked['nonce'] : ''
  const evidence = tampering.evidence?.(nonce) ?? evidenceOf(keys, nonce)
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(canonicalBytes(evidence))
}

const answerSealed = async (
  relay: RelayDouble,
  message: Uint8Array,
  outgoing: ServerResponse,
): Promise<void> => {
  const opened = openRequest(relay.keys.gateway, message)
  const encapsulation = toHex(sha256(message))
  const inner = verifyInner(parseRequest(opened.bhttp), opened, encapsulation)
  relay.inner.push(inner)
  await relay.tampering.onInner?.(inner)
  const answered = relay.tampering.refuse?.(inner) ?? relay.session.answer(inner)
  const honest = respond(relay, answered, inner)
  const response = relay.tampering.inner?.(honest, encapsulation) ?? honest
  const padded = encodeResponse(response, paddedResponseLength(responseNonceBytes(opened.aead)))
  const sealed = opened.sealResponse(padded)
  outgoing
    .writeHead(200, { 'content-type': 'message/ohttp-res' })
    .end(relay.tampering.sealed?.(sealed) ?? sealed)
}

/** Opens a request as a relay does: whoever seals it wrongly gets no answer at all from this double. */
const verifyInner = (request: HttpRequest, { enc }: OpenedRequest, encapsulation: string): Inner => {
  const { keyId } = verifyRequest(request, {
    tag: 'parley-v1',
    components: COVERED_COMPONENTS,
    lookup: (did) => parseDid(did).publicKey,
  })
  const field = (name: string): string => fieldValues(request.headers, name)[0] ?? ''
  if (field('parley-enc') !== toHex(sha256(enc))) throw new Error('another encapsulation')
  return {
    method: request.method,
    path: request.path,
    role: field('parley-role') as Role,
    did: keyId,
    seq: Number(field('parley-seq')),
    body: request.content.length === 0 ? null : parseCanonicalJson(request.content),
    encapsulation,
  }
}

const respond = (
  { keys }: RelayDouble,
  answered: Answered,
  { method, path, encapsulation }: Inner,
): HttpResponse => {
  if (typeof answered === 'string') return refusalResponse(keys, answered, encapsulation)
  const status = method === 'POST' && path === '/v1/sessions' ? 201 : 200
  return { status, headers: [['content-type', 'application/json']], content: canonicalBytes(answered) }
}

export const refusalResponse = (
  keys: DoubleKeys,
  code: RefusalCode,
  encapsulation: string,
): HttpResponse => ({
  status: REFUSALS[code],
  headers: [['content-type', 'application/json']],
  content: canonicalBytes(
    signRefusal(
      { lane: keys.keyset.lane, keyset_digest: keys.keysetDigest, encapsulation, code, detail: null },
      keys.receiptKey,
    ),
  ),
})
