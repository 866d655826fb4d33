import { approvalOf, openApprovals, taken } from './approvals-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'

/** `parley deny`: denies an effect, or takes back an approval that was not used yet. */
export const runDeny = async (digits: string, options: HomeOption, io: Io): Promise<number> => {
  const { folder } = await openApprovals(options, io)
  taken(await folder.deny(approvalOf(folder, digits).effect_digest))
  io.out('denied\n')
  return 0
}
