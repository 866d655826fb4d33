import * as v from 'valibot'
import { type Answer, isRefusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { Call } from './call.js'
import { eventStream } from './event-stream.js'
import { agentOf } from './inbox-agent.js'
import { INVITE_STATUSES, inviteSummary } from './invite.js'
import { sweepInvites } from './settle-invite.js'

const DEFAULT_LIMIT = 50
const MOST = 200
const number = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))

// A parameter of another name is passed over, as an older client's `since_event_id`.
const inboxQuery = v.object({
  status: v.optional(v.picklist(INVITE_STATUSES)),
  from_agent_id: v.optional(v.string()),
  limit: v.optional(number, String(DEFAULT_LIMIT)),
})

/** `GET /inbox`: the invites to the caller, oldest first. */
export function listInbox(services: ApiServices, call: Call): Answer {
  const agent = agentOf(services, call)
  if (isRefusal(agent)) return agent
  const query = v.safeParse(inboxQuery, Object.fromEntries(call.query), { abortEarly: true })
  if (!query.success)
    return refuse('request_malformed', `query: ${v.getDotPath(query.issues[0]) ?? '(root)'}`)
  const { status, from_agent_id: from, limit } = query.output
  sweepInvites(services)
  const found = services.invites
    .all()
    .filter((invite) => invite.to === agent.agentId)
    .filter((invite) => status === undefined || invite.status === status)
    .filter((invite) => from === undefined || invite.from === from)
  return {
    body: {
      invites: found.slice(0, Math.min(limit, MOST)).map(inviteSummary),
      latest_event_id: services.events.latest(agent.agentId),
    },
  }
}

/** `GET /inbox/events`: from now on, or after the event that `Last-Event-ID` names. */
export function inboxEvents(services: ApiServices, call: Call): Answer {
  const agent = agentOf(services, call)
  if (isRefusal(agent)) return agent
  const after = v.safeParse(v.optional(number), call.lastEventId)
  if (!after.success) return refuse('request_malformed', 'last-event-id')
  return { stream: eventStream(services.events, services.clock, agent.agentId, after.output) }
}
