import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import { endSession } from './end-session.js'
import { TIMED_OUT } from './evaluate-inputs.js'

/**
 * A session as it stands now. Its deadline counts from the moment at which it is due, whenever somebody looks: a
 * session that is over shows nothing else until the next sweep.
 */
export function currentSession(services: ApiServices, id: string): ApiSession | undefined {
  const session = services.table.get(id)
  return session === undefined ? undefined : upToDate(services, session)
}

/** Ends what is due, and forgets what was kept long enough. */
export function sweepSessions(services: ApiServices): void {
  for (const session of services.table.all()) upToDate(services, session)
}

function upToDate(services: ApiServices, session: ApiSession): ApiSession | undefined {
  const { phase } = session
  const now = services.clock.nowMs()
  if (phase.kind === 'ended') {
    if (now < phase.removeMs) return session
    services.table.remove(session.id)
    return undefined
  }
  if (now < phase.deadlineMs) return session
  const ended = endSession(services, session, TIMED_OUT)
  if (phase.kind === 'processing') phase.abort.abort()
  return ended
}
