import type { Invite } from './invite.js'

/** No sender may have more invites pending: an inbox belongs to its owner. */
const MOST_PENDING_OF_SENDER = 64

/** Invites in memory, as many as a relay may hold. */
export type InviteTable = {
  readonly get: (id: string) => Invite | undefined
  readonly put: (invite: Invite) => void
  readonly remove: (id: string) => void
  /** In the order in which they were made. */
  readonly all: () => readonly Invite[]
  readonly hasRoomFor: (sender: string) => boolean
}

/**
 * A table within bounds.
 * @param most invites of all agents
 */
export function createInviteTable(most: number): InviteTable {
  const invites = new Map<string, Invite>()
  const all = (): readonly Invite[] => [...invites.values()]
  return {
    get: (id) => invites.get(id),
    put: (invite) => void invites.set(invite.id, invite),
    remove: (id) => void invites.delete(id),
    all,
    hasRoomFor: (sender) =>
      invites.size < most &&
      all().filter(({ from, status }) => from === sender && status === 'PENDING').length <
        MOST_PENDING_OF_SENDER,
  }
}
