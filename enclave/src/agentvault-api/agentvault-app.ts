import type { JsonObject } from '@parley/protocol'
import { Hono } from 'hono'
import { type Answer, isRefusal, type Refusal, refusalBody, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { Call } from './call.js'
import { inboxEvents, listInbox } from './inbox-routes.js'
import { acceptInvite, cancelInvite, createInvite, declineInvite, readInvite } from './invite-routes.js'
import {
  createSession,
  sessionMetadata,
  sessionOutput,
  sessionStatus,
  submitInput,
} from './session-routes.js'
import { singleShot } from './single-shot.js'

/** The routes of AgentVault's relay. */
export type AgentVaultApp = Hono<{ Bindings: Call }>

type Handler = (services: ApiServices, call: Call) => Answer | Promise<Answer>
type OwnHandler = (services: ApiServices, call: Call, id: string) => Answer

const JSON_FIELDS = { 'content-type': 'application/json', 'cache-control': 'no-store' }
const STREAM_FIELDS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

/**
 * Routes a request, whose body and fields come beside it.
 * @param told what `/health` and `/capabilities` say
 */
export function createAgentVaultApp(
  services: ApiServices,
  told: { readonly health: JsonObject; readonly capabilities: JsonObject },
): AgentVaultApp {
  const app: AgentVaultApp = new Hono()
  const at = (method: 'GET' | 'POST', path: string, handler: Handler): void => {
    app.on(method, path, async (c) => respond(await handler(services, c.env)))
    app.all(path, () => respond(refuse('method_refused')))
  }
  const own = (method: 'GET' | 'POST', path: string, handler: OwnHandler): void => {
    app.on(method, path, (c) => respond(handler(services, c.env, c.req.param('id') ?? '')))
    app.all(path, () => respond(refuse('method_refused')))
  }
  at('GET', '/health', () => ({ body: told.health }))
  at('GET', '/capabilities', () => ({ body: told.capabilities }))
  at('POST', '/relay', singleShot)
  at('POST', '/sessions', createSession)
  own('POST', '/sessions/:id/input', submitInput)
  own('GET', '/sessions/:id/status', sessionStatus)
  own('GET', '/sessions/:id/output', sessionOutput)
  own('GET', '/sessions/:id/metadata', sessionMetadata)
  at('POST', '/invites', createInvite)
  own('GET', '/invites/:id', readInvite)
  own('POST', '/invites/:id/accept', acceptInvite)
  own('POST', '/invites/:id/decline', declineInvite)
  own('POST', '/invites/:id/cancel', cancelInvite)
  at('GET', '/inbox', listInbox)
  at('GET', '/inbox/events', inboxEvents)
  app.notFound(() => respond(refuse('route_unknown')))
  // What went wrong stays here: an exception's text may hold anything.
  app.onError(() => respond(refuse('api_failed')))
  return app
}

/** The response of an answer. */
export function respond(answer: Answer): Response {
  if (isRefusal(answer)) return refused(answer)
  if ('stream' in answer) return new Response(answer.stream, { headers: STREAM_FIELDS })
  return new Response(JSON.stringify(answer.body), { headers: JSON_FIELDS })
}

function refused(refusal: Refusal): Response {
  const { status, body } = refusalBody(refusal)
  return new Response(JSON.stringify(body), { status, headers: JSON_FIELDS })
}
