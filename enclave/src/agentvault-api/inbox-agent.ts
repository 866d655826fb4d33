import type { Agent, Agents } from './agents.js'
import { type Refusal, refuse } from './answer.js'
import type { Call } from './call.js'

/** The agent whose inbox token was shown. */
export function agentOf({ agents }: { readonly agents: Agents }, { bearer }: Call): Agent | Refusal {
  return (bearer === undefined ? undefined : agents.ofToken(bearer)) ?? refuse('unauthorized')
}
