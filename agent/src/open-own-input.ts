import { type Bundle, commitInput } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { Session } from './session.js'

/**
 * The bundle with the participant's own input and salt in it, for whomever it means to show them.
 * @throws AgentError `state_missing` where no input was taken in this session
 */
export const openOwnInput = ({ file }: Session, bundle: Bundle): Bundle => {
  const { input: opened, role, lane, session_id } = file.record
  const party = bundle.receipt.participants.find((each) => each.role === role)
  if (opened === null || party?.input_commitment !== commitInput(lane, { session_id, role, ...opened }))
    throw new AgentError('state_missing', 'there is no input of this session to open')
  return { ...bundle, openings: { ...bundle.openings, inputs: [{ role, ...opened }] } }
}
