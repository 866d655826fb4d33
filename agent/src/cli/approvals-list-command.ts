import { printableLines } from '@parley/verifier/node'
import { approvalText } from './approval-text.js'
import { openApprovals } from './approvals-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

/** The options of `parley approvals list`. */
export type ListApprovalsOptions = HomeOption & { readonly all?: true; readonly json?: true }

/** `parley approvals list`: what waits for a decision. */
export const runListApprovals = async (options: ListApprovalsOptions, io: Io): Promise<number> => {
  const { folder } = await openApprovals(options, io)
  const records = folder.list().filter(({ state }) => options.all === true || state === 'pending')
  if (options.json === true) printJson(io, records)
  else io.out(printableLines(records.map(approvalText).join('')))
  return 0
}
