import { DECLINE_REASONS } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { type AskerOptions, askerOf } from './asker-options.js'
import type { Io } from './io.js'

/** The options of `parley session decline`. */
export type DeclineOptions = AskerOptions & { readonly reason: string }

/** `parley session decline`: ends a session to which this key is invited. */
export const runDecline = async (sessionId: string, options: DeclineOptions, io: Io): Promise<number> => {
  const reason = DECLINE_REASONS.find((each) => each === options.reason)
  if (reason === undefined)
    throw new AgentError('argument_invalid', `a reason is one of ${DECLINE_REASONS.join(', ')}`)
  const { participant, relay } = await askerOf(options, io)
  await participant.decline(relay, sessionId, reason)
  io.out('declined\n')
  return 0
}
