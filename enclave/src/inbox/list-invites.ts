import { type Invite, MOST_LISTED } from '@parley/protocol'
import { type Answer, answer } from '../session/answer.js'
import type { Inbound } from '../session/inbound.js'
import { participantKey } from '../session/participant-key.js'
import type { Services } from '../session/services.js'
import type { LiveSession } from '../session/session.js'

/** `GET /v1/invites`: the seats that wait for the caller's key. Strangers' invites come after all others. */
export function listInvites({ table, acquaintance }: Services, { caller }: Inbound): Answer {
  const key = participantKey(caller.did)
  const knows = (did: string): boolean => acquaintance.knows(key, participantKey(did))
  const all = table
    .live()
    .flatMap(({ current }) => (current.kind === 'live' ? inviteOf(current, key, knows) : []))
  const invites = all
    .sort((one, other) => Number(other.known) - Number(one.known) || one.created_at - other.created_at)
    .slice(0, MOST_LISTED)
  return answer({ invites, left_off: all.length - invites.length })
}

const inviteOf = (
  { id, agreement, seats, createdAt, joinBy }: LiveSession,
  key: string,
  knows: (did: string) => boolean,
): Invite[] => {
  const seat = seats.find(({ did, claim }) => did !== null && claim === null && participantKey(did) === key)
  if (seat === undefined) return []
  const [inviter] = seats
  return [
    {
      session_id: id,
      contract_hash: agreement.contractHash,
      role: seat.role,
      known: typeof inviter?.did === 'string' && knows(inviter.did),
      seats: seats.map(({ did }) => did),
      created_at: createdAt,
      expires_at: joinBy,
    },
  ]
}
