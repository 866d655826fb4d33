import type { Command } from 'commander'
import { type ListApprovalsOptions, runListApprovals } from './approvals-list-command.js'
import { type ApproveOptions, runApprove } from './approve-command.js'
import { runDeny } from './deny-command.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'

const HOME = ['--home <dir>', 'your identity and approvals; default: PARLEY_HOME, or ~/.parley'] as const
const EFFECT = ['<effect>', 'the first 8 digits of its digest, or more'] as const

/** `parley approvals list`, `parley approve` and `parley deny`: what an agent of yours may not do without you. */
export const addApprovals = (program: Command, io: Io, end: (code: number) => void): void => {
  program
    .command('approvals')
    .description('what your agent waits for you to decide')
    .command('list')
    .description('the effects that wait, with everything that an approval would bind')
    .option('--all', 'those that were decided, used or have expired too')
    .option(...HOME)
    .option('--json', 'print one JSON document')
    .action(async (options: ListApprovalsOptions) => {
      end(await runListApprovals(options, io))
    })
  program
    .command('approve')
    .description('let exactly one effect happen, once')
    .argument(...EFFECT)
    .option('--yes', 'without being asked; needs all 64 digits')
    .option(...HOME)
    .action(async (effect: string, options: ApproveOptions) => {
      end(await runApprove(effect, options, io))
    })
  program
    .command('deny')
    .description('deny an effect, or take back an approval that was not used yet')
    .argument(...EFFECT)
    .option(...HOME)
    .action(async (effect: string, options: HomeOption) => {
      end(await runDeny(effect, options, io))
    })
}
