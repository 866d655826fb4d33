import type { Answer } from './answer.js'
import { expireIfDue } from './end-session.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import type { EndedSession, LiveSession } from './session.js'
import type { Cell } from './session-table.js'

/** What a handler does with a session that has not ended, and says to one that has. */
export type Change = {
  readonly live: (session: LiveSession) => Promise<Answer | Refused>
  readonly ended?: (session: EndedSession) => Refused
}

/** Changes a session, one request after another, so that requests at once cannot do one thing twice. */
export function change(
  services: Services,
  cell: Cell,
  { live, ended = refuseEnded }: Change,
): Promise<Answer | Refused> {
  return cell.serial(async () => {
    await expireIfDue(services, cell)
    const session = cell.current
    return session.kind === 'ended' ? ended(session) : live(session)
  })
}

/** The no of a session that has ended. It tells expiry, and nothing of an evaluation. */
export function refuseEnded({ abortClass }: EndedSession): Refused {
  return refuse(abortClass === 'EXPIRED' ? 'session_expired' : 'state_conflict')
}
