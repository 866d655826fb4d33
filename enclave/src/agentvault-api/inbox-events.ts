import type { Agents } from './agents.js'

/** AgentVault's names of what may happen to an invite. */
export type InboxEventType =
  | 'INVITE_CREATED'
  | 'INVITE_ACCEPTED'
  | 'INVITE_DECLINED'
  | 'INVITE_EXPIRED'
  | 'INVITE_CANCELED'

/** One event of one agent's inbox, numbered from 1 without gaps. */
export type InboxEvent = {
  readonly event_id: number
  readonly event_type: InboxEventType
  readonly invite_id: string
  readonly from_agent_id: string
  readonly timestamp: string
}

const KEPT = 64
const MOST_LISTENERS = 8

type Listener = { readonly tell: (event: InboxEvent) => void; readonly end: () => void }

/** What happened in each agent's inbox. */
export type InboxEvents = {
  /** Adds an event to the inbox of an agent; one that has no inbox is told nothing. */
  readonly tell: (agentId: string, event: Omit<InboxEvent, 'event_id'>) => void
  /** The number of the latest event; 0 before the first. */
  readonly latest: (agentId: string) => number
  /**
   * Listens from now on. At most eight do for one agent: one more ends the longest.
   * @param after the last event that the listener knows; those after it that are still kept are told first
   * @returns what ends the listening
   */
  readonly listen: (agentId: string, after: number | undefined, listener: Listener) => () => void
  readonly endAll: () => void
}

type Inbox = { latest: number; kept: readonly InboxEvent[]; readonly listeners: Set<Listener> }

/** The events of these agents, the last 64 of each. */
export function createInboxEvents(agents: Pick<Agents, 'has'>): InboxEvents {
  const inboxes = new Map<string, Inbox>()
  const inboxOf = (agentId: string): Inbox => {
    const inbox = inboxes.get(agentId) ?? { latest: 0, kept: [], listeners: new Set<Listener>() }
    inboxes.set(agentId, inbox)
    return inbox
  }
  return {
    tell: (agentId, event) => {
      if (!agents.has(agentId)) return
      const inbox = inboxOf(agentId)
      const numbered = { event_id: ++inbox.latest, ...event }
      inbox.kept = [...inbox.kept, numbered].slice(-KEPT)
      for (const listener of inbox.listeners) listener.tell(numbered)
    },
    latest: (agentId) => inboxes.get(agentId)?.latest ?? 0,
    listen: (agentId, after, listener) => {
      const { listeners, kept, latest } = inboxOf(agentId)
      const [longest] = listeners
      if (listeners.size >= MOST_LISTENERS && longest !== undefined) {
        listeners.delete(longest)
        longest.end()
      }
      for (const event of kept) if (event.event_id > (after ?? latest)) listener.tell(event)
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    endAll: () => {
      for (const { listeners } of inboxes.values()) for (const listener of listeners) listener.end()
    },
  }
}
