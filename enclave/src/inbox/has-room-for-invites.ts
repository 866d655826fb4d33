import { participantKey } from '../session/participant-key.js'
import { refuse, type Refused } from '../session/refuse.js'
import type { Services } from '../session/services.js'
import type { LiveSession } from '../session/session.js'

/** Takes room in the inbox of each invitee that has never conferred with the inviter; others need none. */
export function hasRoomForInvites(
  { acquaintance, strangerRoom }: Services,
  { seats: [inviter, ...others] }: LiveSession,
): Refused | undefined {
  const from = participantKey(inviter?.did ?? '')
  const invited = others.flatMap(({ did }) => did ?? []).map(participantKey)
  const strangers = invited.filter((key) => !acquaintance.knows(key, from))
  return strangerRoom.take(strangers) ? undefined : refuse('relay_overloaded', 'inbox_full /invited')
}
