import { fieldValues, type HttpRequest } from '@parley/protocol'
import { type Context, Hono } from 'hono'
import { getInbox } from '../inbox/get-inbox.js'
import { listInvites } from '../inbox/list-invites.js'
import { listSessions } from '../inbox/list-sessions.js'
import { acceptConsent } from './accept-consent.js'
import { acceptInput } from './accept-input.js'
import { authenticate } from './authenticate.js'
import { cancelSession } from './cancel-session.js'
import { createSession } from './create-session.js'
import { declineSession } from './decline-session.js'
import { eraseCaller } from './erase-caller.js'
import { getResult } from './get-result.js'
import type { Inbound, SessionInbound } from './inbound.js'
import type { InnerContext } from './inner-context.js'
import { joinSession } from './join-session.js'
import { getOffer } from './offer-answer.js'
import { placeCaller } from './place-caller.js'
import { preferredWait } from './prefer-wait.js'
import { isRefused, refuse, type Refused } from './refuse.js'
import { type Reply, respond } from './respond.js'
import type { Services } from './services.js'
import { toWebResponse } from './web-response.js'

/** A decapsulated request, as it is given to the app beside the target that the app routes by. */
export type Opened = { readonly request: HttpRequest; readonly context: InnerContext }

/** The inner API. */
export type SessionsApp = Hono<{ Bindings: Opened }>

const ID = ':id{[0-9a-f]{64}}'
const NUMBER = ':number{0|[1-9][0-9]{0,14}}'

/** The routes of SPEC §10. The app only routes: it is never given bodies or fields, and forwards nothing. */
export function createSessionsApp(services: Services): SessionsApp {
  const app: SessionsApp = new Hono()
  const reply = (c: Context<{ Bindings: Opened }>, said: Reply): Response =>
    toWebResponse(respond(services, c.env.context, said))
  const inSession = (
    method: 'GET' | 'POST',
    name: string,
    handler: (services: Services, inbound: SessionInbound, waitMs: number) => Promise<Reply>,
  ): void => {
    app.on(method, `/v1/sessions/${ID}/${name}`, async (c) => {
      const inbound = authenticated(services, c.env)
      if (isRefused(inbound)) return reply(c, inbound)
      const placed = placeCaller(services, inbound, c.req.param('id'), name === 'join')
      return reply(c, isRefused(placed) ? placed : await handler(services, placed, waitOf(inbound)))
    })
  }
  const ofCaller = (
    method: 'GET' | 'POST',
    path: string,
    handler: (inbound: Inbound, number: string) => Reply | Promise<Reply>,
  ): void => {
    app.on(method, `/v1/${path}`, async (c) => {
      const inbound = inNoSession(authenticated(services, c.env))
      return reply(c, isRefused(inbound) ? inbound : await handler(inbound, c.req.param('number') ?? ''))
    })
  }
  ofCaller('POST', 'sessions', (inbound) => createSession(services, inbound))
  ofCaller('POST', 'provisioning', (inbound) => services.provision?.(inbound) ?? refuse('route_unknown'))
  ofCaller('POST', 'erasure', (inbound) => eraseCaller(services, inbound))
  ofCaller('GET', 'sessions', (inbound) => listSessions(services, inbound))
  ofCaller('GET', 'invites', (inbound) => listInvites(services, inbound))
  ofCaller('GET', `inbox/${NUMBER}`, (inbound, after) =>
    getInbox(services, inbound, Number(after), waitOf(inbound)),
  )
  inSession('POST', 'join', joinSession)
  inSession('GET', 'offer', getOffer)
  inSession('POST', 'consent', acceptConsent)
  inSession('POST', 'input', acceptInput)
  inSession('POST', 'cancel', cancelSession)
  inSession('POST', 'decline', declineSession)
  inSession('GET', 'result', getResult)
  app.notFound((c) => reply(c, refuse('route_unknown')))
  // What went wrong stays here: an exception's text may hold anything.
  app.onError((_, c) => reply(c, refuse('relay_failed')))
  return app
}

const authenticated = ({ clock, bundle }: Services, { request, context }: Opened): Inbound | Refused => {
  if (request.method === 'GET' && request.content.length > 0) return refuse('request_malformed', 'content')
  const caller = authenticate(request, context, { clock, windowSeconds: bundle.limits.date_window_seconds })
  return isRefused(caller) ? caller : { request, context, caller }
}

/** What is asked as a key, and in no session, says so. */
const inNoSession = (inbound: Inbound | Refused): Inbound | Refused => {
  if (isRefused(inbound)) return inbound
  const { role, sessionId, offerDigest } = inbound.caller
  if (role !== 'initiator') return refuse('role_refused')
  const none = sessionId === null && offerDigest === null
  return none ? inbound : refuse('request_malformed', 'parley-session or parley-offer')
}

const waitOf = ({ request }: Inbound): number => preferredWait(fieldValues(request.headers, 'prefer')) * 1000
