import type { ApiServices } from './api-services.js'
import type { InboxEventType } from './inbox-events.js'
import type { Invite } from './invite.js'
import { rfc3339 } from './rfc3339.js'

/** How long an invite that is no longer pending can be read. */
const KEPT_MS = 86_400_000

const EVENTS = {
  ACCEPTED: 'INVITE_ACCEPTED',
  DECLINED: 'INVITE_DECLINED',
  CANCELED: 'INVITE_CANCELED',
  EXPIRED: 'INVITE_EXPIRED',
} as const satisfies Readonly<Record<Exclude<Invite['status'], 'PENDING'>, InboxEventType>>

/** An invite as it stands now: one whose time is over is EXPIRED from that moment on, whoever looks first. */
export function currentInvite(services: ApiServices, id: string): Invite | undefined {
  const invite = services.invites.get(id)
  return invite === undefined ? undefined : upToDate(services, invite)
}

/** Expires what is due, and forgets what was kept long enough. */
export function sweepInvites(services: ApiServices): void {
  for (const invite of services.invites.all()) upToDate(services, invite)
}

/** Ends a pending invite and tells whoever did not do it. */
export function settleInvite(
  services: ApiServices,
  invite: Invite,
  change: Pick<Invite, 'status'> & Partial<Pick<Invite, 'declineReason' | 'sessionId'>>,
): Invite {
  const { clock, invites } = services
  const settled: Invite = {
    ...invite,
    ...change,
    updatedAt: clock.nowSeconds(),
    dueMs: clock.nowMs() + KEPT_MS,
  }
  invites.put(settled)
  for (const agent of toldOf(settled)) tellInbox(services, settled, agent)
  return settled
}

/** Puts an event into an agent's inbox that says how the invite stands. */
export function tellInbox(
  { events, clock }: ApiServices,
  { id, from, status }: Invite,
  agentId: string,
): void {
  events.tell(agentId, {
    event_type: status === 'PENDING' ? 'INVITE_CREATED' : EVENTS[status],
    invite_id: id,
    from_agent_id: from,
    timestamp: rfc3339(clock.nowSeconds()),
  })
}

function toldOf({ status, from, to }: Invite): readonly string[] {
  if (status === 'EXPIRED') return [from, to]
  return status === 'CANCELED' ? [to] : [from]
}

function upToDate(services: ApiServices, invite: Invite): Invite | undefined {
  if (services.clock.nowMs() < invite.dueMs) return invite
  if (invite.status === 'PENDING') return settleInvite(services, invite, { status: 'EXPIRED' })
  services.invites.remove(invite.id)
  return undefined
}
