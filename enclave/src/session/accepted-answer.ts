import type { Role } from '@parley/protocol'
import { type Answer, answer } from './answer.js'
import type { Services } from './services.js'
import { type Session, visibleState } from './session.js'

/** The answer to a consent, an input and a cancellation, with the asker's own commitment. */
export function acceptedAnswer({ clock }: Pick<Services, 'clock'>, session: Session, role: Role): Answer {
  const index = role === 'initiator' ? 0 : 1
  const input_commitment =
    session.kind === 'ended'
      ? session.seats[index].commitment
      : (session.seats[index].submission?.commitment ?? null)
  return answer({ state: visibleState(session, clock.nowMs()), input_commitment })
}
