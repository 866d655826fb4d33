import type { ApprovalRecord } from '@parley/guardian'
import { printableLines } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import { signApproval } from '../approvals/sign-approval.js'
import { nowSeconds } from '../clock.js'
import { approvalText } from './approval-text.js'
import { approvalOf, openApprovals, taken } from './approvals-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'

/** The options of `parley approve`. */
export type ApproveOptions = HomeOption & { readonly yes?: true }

/** `parley approve`: shows one effect, and on a yes signs it, once and for as long as it is waited for. */
export const runApprove = async (digits: string, options: ApproveOptions, io: Io): Promise<number> => {
  const { folder, identity } = await openApprovals(options, io)
  const record = approvalOf(folder, digits)
  // A record that can't be approved any more is not worth a question.
  if (record.state !== 'pending')
    throw new AgentError('argument_invalid', `nobody waits for this approval: ${record.state}`)
  io.err(printableLines(approvalText(record)))
  await requireYes(record, digits, options, io)
  const grant = signApproval(record, identity, identity.did, nowSeconds(io.clock))
  taken(await folder.approve(record.effect_digest, grant))
  io.out('approved\n')
  return 0
}

// Eight digits are soon found again for another effect: without a look at it, all 64 must be given.
const requireYes = async (
  { effect_digest }: ApprovalRecord,
  digits: string,
  { yes }: ApproveOptions,
  io: Io,
): Promise<void> => {
  if (yes === true && digits === effect_digest) return
  if (yes === true) throw new AgentError('argument_invalid', 'with --yes, give all 64 digits of the effect')
  if (io.confirm === null) throw new AgentError('argument_invalid', 'to approve this effect, say --yes')
  if (!(await io.confirm('Approve exactly this effect, once? [y/N] ')))
    throw new AgentError('argument_invalid', 'not approved; the request still waits')
}
