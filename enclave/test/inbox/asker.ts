import {
  type Inbox,
  type InboxEvent,
  type Invites,
  parseInbox,
  parseInvites,
  parseSessionList,
  type SessionList,
} from '@parley/protocol'
import { good, type Participant, type Reply, type Twist } from '../session/participant.js'

/** Asks as a key, in no session. */
export const askAs = (who: Participant, path: string, twist: Twist = {}): Promise<Reply> =>
  who.send('GET', path, undefined, { session: 'none', offer: 'none', role: 'initiator', seq: 0, ...twist })

export const inboxOf = async (who: Participant, after = 0): Promise<Inbox> =>
  parseInbox(good(await askAs(who, `/v1/inbox/${after}`)))

export const invitesOf = async (who: Participant): Promise<Invites> =>
  parseInvites(good(await askAs(who, '/v1/invites')))

export const sessionsOf = async (who: Participant): Promise<SessionList> =>
  parseSessionList(good(await askAs(who, '/v1/sessions')))

/** Events without numbers and times: what happened, and by whom. */
export const told = (events: readonly InboxEvent[]): string[] =>
  events.map(({ event, role, reason_code }) =>
    [event, role, reason_code].filter((part) => part !== null).join(' '),
  )

export const decline = (who: Participant, reason_code = 'BUSY', twist: Twist = {}): Promise<Reply> =>
  who.send('POST', who.path('decline'), { reason_code }, { offer: 'none', ...twist })
