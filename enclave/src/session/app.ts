import type { HttpRequest } from '@parley/protocol'
import { type Erasure, eraseSubject } from '../audit/erase-subject.js'
import type { SizedResponse } from './answer.js'
import { createDeadlines } from './deadlines.js'
import { expireAll } from './end-session.js'
import type { InnerContext } from './inner-context.js'
import { refuse } from './refuse.js'
import { respond } from './respond.js'
import { createServices, type Services } from './services.js'
import type { SessionDeps } from './session-deps.js'
import { createSessionsApp } from './sessions-app.js'
import { fromWebResponse } from './web-response.js'

export type { SizedResponse } from './answer.js'
export type { InnerContext } from './inner-context.js'
export type { SessionDeps } from './session-deps.js'

/** The inner API over decapsulated requests. */
export type Sessions = {
  /** Answers one decapsulated request; never throws, and every failure is a signed refusal. */
  readonly handle: (request: HttpRequest, context: InnerContext) => Promise<SizedResponse>
  /** Erases what is held of a participant, as its own request would. */
  readonly erase: (did: string) => Promise<Erasure>
  /** Begins nothing more; what waits for a tick ends at the next one. */
  readonly close: () => Promise<void>
}

/**
 * Sessions over a store, a log and a reporter.
 * @throws ProtocolError `object_malformed` if a guardian policy of the bundle is not one
 */
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
      const target = new Request(`https://relay${path}`, { method })
      return fromWebResponse(await app.fetch(target, { request, context }))
    },
    erase: (did) => services.erasing(() => eraseSubject(services, did)),
    close: () => {
      closing = true
      services.stop.abort()
      // The last commits, if any are under way, are through when the ledger is.
      return services.ledger.exclusive(() => Promise.resolve())
    },
  }
}

/** The routes are few and plain: a target that would be normalised, decoded or cut is none of them. */
const isRoutable = ({ method, scheme, authority, path }: HttpRequest): boolean =>
  (method === 'GET' || method === 'POST') &&
  scheme === 'https' &&
  authority === 'relay' &&
  /^\/[a-z0-9/]+$/.test(path)
