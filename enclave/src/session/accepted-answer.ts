import type { Role } from '@parley/protocol'
import { type Answer, answer } from './answer.js'
import type { Services } from './services.js'
import { seatOf, type Session, visibleState } from './session.js'

/** The answer to a consent, an input and a cancellation, with the asker's own commitment. */
export function acceptedAnswer({ clock }: Pick<Services, 'clock'>, session: Session, role: Role): Answer {
  const input_commitment =
    session.kind === 'ended'
      ? seatOf(session, role).commitment
      : (seatOf(session, role).submission?.commitment ?? null)
  return answer({ state: visibleState(session, clock.nowMs()), input_commitment })
}
