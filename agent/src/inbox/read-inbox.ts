import { type Inbox, type InboxEvent, MOST_INBOX_EVENTS, parseInbox } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { pollUntil } from '../poll.js'
import { type Asker, askAsKey } from './ask-as-key.js'

/** What an inbox has after a number. */
export type News = {
  /** In order. */
  readonly events: readonly InboxEvent[]
  /** How many before the first of them the relay keeps no more. */
  readonly missed: number
  /** Whether there may be more: then ask again, after the last of these. */
  readonly more: boolean
}

/**
 * Reads the inbox of the asker's key: what happened in its sessions, numbered from 1 without a gap.
 * @param after the last number that was read before; 0 where none was
 * @param waitMs how long to wait for something new, in milliseconds
 * @throws AgentError `relay_changed` where the relay has no such number: it is over another store, or was rolled back
 * @throws RelayRefusal
 * @see SPEC §26
 */
export const readInbox = async (asker: Asker, after: number, waitMs: number): Promise<News> => {
  const found = await pollUntil(asker.clock, waitMs, async (waitSeconds) => {
    const read = parseInbox(await askAsKey(asker, `/v1/inbox/${after}`, waitSeconds))
    return read.events.length > 0 || read.last < after ? read : undefined
  })
  return found === undefined ? { events: [], missed: 0, more: false } : newsOf(found, after)
}

const newsOf = ({ events, last }: Inbox, after: number): News => {
  if (last < after)
    throw new AgentError('relay_changed', 'the inbox has no event of that number: read it anew, after 0')
  const [first] = events
  if (first !== undefined && first.seq <= after)
    throw new AgentError(
      'answer_malformed',
      "the relay's answer can't be used: an event that was not asked for",
    )
  const missed = first === undefined ? 0 : first.seq - after - 1
  return { events, missed, more: events.length === MOST_INBOX_EVENTS }
}
