import type { Command } from 'commander'
import type { Io } from './io.js'
import { runShowLedger, type ShowLedgerOptions } from './ledger-show-command.js'
import { runVerifyLedger, type VerifyLedgerOptions } from './ledger-verify-command.js'

const HOME = [
  '--home <dir>',
  'your identity, ledger and sessions; default: PARLEY_HOME, or ~/.parley',
] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const

/** `parley ledger …`: what you have spent, and whether the entries that you hold are of one chain. Opens no socket. */
export const addLedger = (program: Command, io: Io, end: (code: number) => void): void => {
  const ledger = program
    .command('ledger')
    .description('your budgets, and whether a relay was rolled back, offline')
  ledger
    .command('show')
    .description('each secret: spent, limit, head, relays and last sessions')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: ShowLedgerOptions) => {
      end(await runShowLedger(options, io))
    })
  ledger
    .command('verify')
    .description(
      'check all entries that you hold; ends with 2 or 4 and prints the contradicting ones where they clash',
    )
    .argument('[bundle...]', 'bundles of your own sessions (.parley.json), whose entries must fit in')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (bundles: readonly string[], options: VerifyLedgerOptions) => {
      end(await runVerifyLedger(bundles, options, io))
    })
}
