import { fieldValues, type HttpRequest } from '@parley/protocol'
import { Hono } from 'hono'
import { acceptConsent } from './accept-consent.js'
import { acceptInput } from './accept-input.js'
import { type Answer, jsonResponse, type SizedResponse } from './answer.js'
import { authenticate } from './authenticate.js'
import { cancelSession } from './cancel-session.js'
import { createSession } from './create-session.js'
import { expireAll } from './end-session.js'
import { createDeadlines } from './deadlines.js'
import { getResult } from './get-result.js'
import type { Inbound, SessionInbound } from './inbound.js'
import type { InnerContext } from './inner-context.js'
import { joinSession } from './join-session.js'
import { getOffer } from './offer-answer.js'
import { placeCaller } from './place-caller.js'
import { preferredWait } from './prefer-wait.js'
import { isRefused, refusalResponse, refuse, type Refused } from './refuse.js'
import { createServices, type Services } from './services.js'
import type { SessionDeps } from './session-deps.js'
import { fromWebResponse, toWebResponse } from './web-response.js'

export type { SizedResponse } from './answer.js'
export type { InnerContext } from './inner-context.js'
export type { SessionDeps } from './session-deps.js'

/** The inner API over decapsulated requests. */
export type Sessions = {
  /** Answers one decapsulated request; never throws, and every failure is a signed refusal. */
  readonly handle: (request: HttpRequest, context: InnerContext) => Promise<SizedResponse>
  /** Begins nothing more; what waits for a tick ends at the next one. */
  readonly close: () => Promise<void>
}

type Opened = { readonly request: HttpRequest; readonly context: InnerContext }
type App = Hono<{ Bindings: Opened }>
type Reply = Answer | Refused

/** Sessions over a store, a log and a reporter. */
export function createSessions(deps: SessionDeps): Sessions {
  let closing = false
  const services: Services = {
    ...createServices(deps),
    wakeAt: createDeadlines(deps.clock, () => expireAll(services)),
    closed: () => closing,
  }
  const app = createSessionsApp(services)
  return {
    handle: async (request, context) => {
      if (!isRoutable(request)) return respond(services, context, refuse('route_unknown'))
      const { method, path } = request
      return fromWebResponse(
        await app.fetch(new Request(`https://relay${path}`, { method }), { request, context }),
      )
    },
    close: () => {
      closing = true
      // The last commits, if any are under way, are through when the ledger is.
      return services.ledger.exclusive(() => Promise.resolve())
    },
  }
}

const ID = ':id{[0-9a-f]{64}}'

/** The routes of SPEC §10. The app only routes: it is never given bodies or fields, and forwards nothing. */
export function createSessionsApp(services: Services): App {
  const app: App = new Hono()
  const inSession = (
    method: 'GET' | 'POST',
    name: string,
    handler: (inbound: SessionInbound) => Promise<Reply>,
  ): void => {
    app.on(method, `/v1/sessions/${ID}/${name}`, async (c) => {
      const inbound = authenticated(services, c.env)
      const placed = isRefused(inbound)
        ? inbound
        : placeCaller(services, inbound, c.req.param('id'), name === 'join')
      return reply(services, c.env.context, isRefused(placed) ? placed : await handler(placed))
    })
  }
  app.post('/v1/sessions', async (c) => {
    const inbound = authenticated(services, c.env)
    return reply(
      services,
      c.env.context,
      isRefused(inbound) ? inbound : await createSession(services, inbound),
    )
  })
  inSession('POST', 'join', (inbound) => joinSession(services, inbound))
  inSession('GET', 'offer', (inbound) => getOffer(services, inbound, waitOf(inbound)))
  inSession('POST', 'consent', (inbound) => acceptConsent(services, inbound))
  inSession('POST', 'input', (inbound) => acceptInput(services, inbound))
  inSession('POST', 'cancel', (inbound) => cancelSession(services, inbound))
  inSession('GET', 'result', (inbound) => getResult(services, inbound, waitOf(inbound)))
  app.notFound((c) => reply(services, c.env.context, refuse('route_unknown')))
  // What went wrong stays here: an exception's text may hold anything.
  app.onError((_, c) => reply(services, c.env.context, refuse('relay_failed')))
  return app
}

/** The routes are few and plain: a target that would be normalised, decoded or cut is none of them. */
const isRoutable = ({ method, scheme, authority, path }: HttpRequest): boolean =>
  (method === 'GET' || method === 'POST') &&
  scheme === 'https' &&
  authority === 'relay' &&
  /^\/[a-z0-9/]+$/.test(path)

const authenticated = ({ clock, bundle }: Services, { request, context }: Opened): Inbound | Refused => {
  if (request.method === 'GET' && request.content.length > 0) return refuse('request_malformed', 'content')
  const caller = authenticate(request, context, { clock, windowSeconds: bundle.limits.date_window_seconds })
  return isRefused(caller) ? caller : { request, context, caller }
}

const waitOf = ({ request }: SessionInbound): number =>
  preferredWait(fieldValues(request.headers, 'prefer')) * 1000

const reply = (services: Services, context: InnerContext, said: Reply): Response =>
  toWebResponse(respond(services, context, said))

const respond = (
  { keys, log, clock, bundle }: Services,
  { encapsulation }: InnerContext,
  said: Reply,
): SizedResponse => {
  if (!isRefused(said)) return jsonResponse(said.status, said.body, said.mostBytes)
  const { refused: code } = said
  // These two speak of the relay. Any other code may speak of an input, and is not told to the operator.
  if (code === 'relay_failed' || code === 'relay_overloaded')
    log({ event: 'refused', tick: Math.floor(clock.nowMs() / bundle.limits.tick_ms), code })
  return refusalResponse(keys, encapsulation, said)
}
