import {
  encodeRequest,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  paddedRequestLength,
  parseJson,
  parseResponse,
  startRequest,
  verifyRefusal,
} from '@parley/protocol'
import { onTestFinished } from 'vitest'
import { openEvidenceDesk } from '../../src/evidence/evidence-desk.js'
import { createReporter } from '../../src/evidence/reporter.js'
import { createGateway } from '../../src/gateway/gateway.js'
import { openListener } from '../../src/gateway/listener.js'
import type { RelayKeys } from '../../src/keys/relay-keys.js'
import type { LogEvent } from '../../src/log.js'
import type { Limits } from '../../src/policy-bundle.js'
import type { Sessions } from '../../src/session/app.js'
import { jsonResponse } from '../../src/session/answer.js'
import { fresh, testKeys } from '../boot.js'
import { type FakeClock, fakeClock } from '../fake-clock.js'
import { LIMITS } from '../session/test-relay.js'

/** A gateway on loopback, before sessions that a test stands in for. */
export type OpenGateway = {
  readonly url: string
  readonly keys: RelayKeys
  readonly clock: FakeClock
  readonly logged: LogEvent[]
  /** What reached the sessions. */
  readonly handled: HttpRequest[]
}

/** Sessions that say yes to everything. */
const welcoming: Sessions['handle'] = ({ path }) => Promise.resolve(jsonResponse(200, { path }))

export async function openGateway(
  handle: Sessions['handle'] = welcoming,
  changes: Partial<Limits> = {},
): Promise<OpenGateway> {
  const keys = testKeys()
  const limits = { ...LIMITS, ...changes }
  const clock = fakeClock()
  const logged: LogEvent[] = []
  const log = (event: LogEvent): void => void logged.push(event)
  const reporter = createReporter(
    { lane: 'software', ...keys, collector: null, random: fresh },
    0,
    clock,
    log,
  )
  const desk = await openEvidenceDesk(keys, reporter)
  const handled: HttpRequest[] = []
  const sessions: Pick<Sessions, 'handle'> = {
    handle: (request, context) => {
      handled.push(request)
      return handle(request, context)
    },
  }
  const listener = await openListener({ host: '127.0.0.1', port: 0 }, () => undefined)
  onTestFinished(() => listener.close())
  const missingSecrets = (): readonly string[] => ['claude']
  listener.serve(createGateway({ keys, sessions, desk, limits, missingSecrets, clock, random: fresh, log }))
  return { url: listener.url, keys, clock, logged, handled }
}

export const INNER: HttpRequest = {
  method: 'GET',
  scheme: 'https',
  authority: 'relay',
  path: '/v1/sessions',
  headers: [],
  content: new Uint8Array(0),
}

/** A sealed request, and how its answer is opened. */
export type Sealed = {
  readonly message: Uint8Array
  readonly enc: Uint8Array
  readonly open: (body: Uint8Array) => { readonly status: number; readonly body: JsonObject }
}

export function sealed(keys: RelayKeys, bhttp = encodeRequest(INNER, paddedRequestLength)): Sealed {
  const request = startRequest(keys.gateway.config)
  const message = request.seal(bhttp)
  const open = (body: Uint8Array): { status: number; body: JsonObject } => {
    const { status, content } = parseResponse(request.open(body))
    const value = parseJson(content)
    if (!isJsonObject(value)) throw new Error('no object')
    return { status, body: value }
  }
  return { message, enc: request.enc, open }
}

/** What a host sees of an answer. */
export type Seen = {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

export async function post(
  url: string,
  body: Uint8Array,
  type = 'message/ohttp-req',
  path = '/ohttp',
): Promise<Seen> {
  return read(
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(body),
    }),
  )
}

export async function read(response: Response): Promise<Seen> {
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

/** The code of the signed refusal that a sealed answer holds. */
export function refusalCode({ keys }: OpenGateway, { open }: Sealed, seen: Seen): string {
  return verifyRefusal(open(seen.body).body, keys.receiptKey.publicKey).code
}
