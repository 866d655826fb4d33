import type { IncomingMessage } from 'node:http'
import { readBody } from '../gateway/read-body.js'
import { type AgentVaultApp, respond } from './agentvault-app.js'
import { refuse } from './answer.js'
import { bearerOf, type Call, MAX_BODY_BYTES } from './call.js'

/**
 * Answers what comes in over the wire.
 * @param allowed whether an address may ask once more
 */
export function createRequestAnswer(
  app: AgentVaultApp,
  allowed: (address: string) => boolean,
): (request: IncomingMessage) => Promise<Response> {
  return async (request) => {
    if (!allowed(request.socket.remoteAddress ?? '')) return respond(refuse('rate_limited'))
    const url = targetOf(request)
    if (url === undefined) return respond(refuse('route_unknown'))
    const { method = 'GET' } = request
    // The app is given method and target to route by; what else a request holds goes beside them.
    const target = new Request(url, { method: method === 'POST' ? 'POST' : method === 'GET' ? 'GET' : 'PUT' })
    return app.fetch(target, await callOf(request, url))
  }
}

const PLAIN_TARGET = /^\/[\w./-]*(?:\?[\w.~%&=+:@-]*)?$/

/** A target that would be normalised or decoded to another one names no route. */
function targetOf({ url = '' }: IncomingMessage): URL | undefined {
  const text = `http://relay${url}`
  if (!PLAIN_TARGET.test(url) || !URL.canParse(text)) return undefined
  const target = new URL(text)
  return target.href === text ? target : undefined
}

async function callOf(request: IncomingMessage, url: URL): Promise<Call> {
  const { authorization, 'content-type': contentType, 'last-event-id': lastEventId } = request.headers
  return {
    bearer: bearerOf(authorization),
    contentType,
    body: await readBody(request, MAX_BODY_BYTES),
    query: url.searchParams,
    lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
  }
}
