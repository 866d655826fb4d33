import { join } from 'node:path'
import type { ApprovalRecord, ApprovalStep } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { ApprovalFolder } from '../approvals/approval-folder.js'
import type { Identity } from '../identity.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

const DIGITS = /^[0-9a-f]{8,64}$/

/** The approvals of a home: its own key alone approves, for what runs in it. */
export const openApprovals = async (
  options: HomeOption,
  io: Io,
): Promise<{ identity: Identity; folder: ApprovalFolder }> => {
  const { home, identity } = await openHome(options, io)
  const parties = { approvers: [identity.did], audience: identity.did }
  return { identity, folder: new ApprovalFolder(join(home, 'approvals'), io.clock, parties) }
}

/**
 * The approval that digits name.
 * @throws AgentError `argument_invalid` on fewer than 8 digits, or where they name several; `state_missing`
 */
export const approvalOf = (folder: ApprovalFolder, digits: string): ApprovalRecord => {
  if (!DIGITS.test(digits))
    throw new AgentError('argument_invalid', 'name the effect by the first 8 digits of its digest, or more')
  const [found, ...others] = folder.list().filter(({ effect_digest }) => effect_digest.startsWith(digits))
  if (found === undefined) throw new AgentError('state_missing', 'there is no approval of such an effect')
  if (others.length > 0)
    throw new AgentError('argument_invalid', 'several effects begin so; give more digits')
  return found
}

/** Passes a step on. @throws AgentError `argument_invalid` where it was not taken, with the reason */
export const taken = (step: ApprovalStep): ApprovalRecord => {
  if (step.ok) return step.record
  throw new AgentError('argument_invalid', `the approval does not change: ${step.code}`)
}
