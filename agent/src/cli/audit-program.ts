import { SEVERITIES, type Severity } from '@parley/guardian'
import { Argument, type Command, Option } from 'commander'
import { LOG_NAMES, type LogName } from '../audit/log-names.js'
import { type ProveOptions, runAuditProve } from './audit-prove-command.js'
import { runAuditTail, type TailOptions } from './audit-tail-command.js'
import { runAuditVerify, type VerifyAuditOptions } from './audit-verify-command.js'
import { type ErasureOptions, runErasure } from './erasure-command.js'
import type { Io } from './io.js'
import { parseCount, parseSeq } from './parse-option.js'
import { GOOGLE_ROOT, ROOT, TPM_ROOT } from './root-options.js'

const HOME = ['--home <dir>', 'your identity and logs; default: PARLEY_HOME, or ~/.parley'] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const
const ANY_LOG = new Argument('[log]', 'one log; default: all').choices(LOG_NAMES)

type End = (code: number) => void

/** `parley audit …` and `parley erasure`: what the logs of a home say, whether they hold, and what is forgotten. */
export const addAudit = (program: Command, io: Io, end: End): void => {
  const audit = program
    .command('audit')
    .description('the logs of your home: own (consents, effects, erasures), received and sent (tasks)')
  addReading(audit, io, end)
  addProving(audit, io, end)
  program
    .command('erasure')
    .description(
      'erase what your home holds of a subject, and of what is under it (SUBJECT:…), or what a relay holds of you',
    )
    .argument('<subject>', 'its identifier; with --relay your own DID')
    .addHelpText('after', NOT_CLAIMED)
    .option('--relay <url>', 'ask this relay: address of its proxy')
    .option('--policy <file>', 'verifier policy (JSON): what you expect of it')
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (subject: string, options: ErasureOptions) => {
      end(await runErasure(subject, options, io))
    })
}

const NOT_CLAIMED = `
Erased are grants that it gave or got, sessions with it that are over, its entries in your log, and the salts by which
they were its. Not erased: counters that keep a grant from being used again until it expires, pairings, your ledger, tasks
in the logs received and sent, which hold no subject, files that you saved elsewhere, copies and backups of the disk,
and what others hold. A relay erases the records of your sessions, their entries in its log, and your inbox, once a session
is over for as long as one may last; it keeps your ledger, which bounds what others may be told of your secrets.`

const addReading = (audit: Command, io: Io, end: End): void => {
  audit
    .command('tail')
    .description('the last entries')
    .addArgument(ANY_LOG)
    .option('-n, --limit <n>', 'how many', parseCount, 20)
    .addOption(
      new Option('--severity <least>', 'those alone').choices(SEVERITIES).default('info' satisfies Severity),
    )
    .option('--event <name>', 'an event, or what its name begins with: A2A, effect, consent')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (log: LogName | undefined, options: TailOptions) => {
      end(await runAuditTail(log, options, io))
    })
  audit
    .command('verify')
    .description(
      'check chains, and that logs still begin with what was signed of them; exit codes as parley-verify',
    )
    .addArgument(ANY_LOG)
    .option('--held <file...>', 'checkpoints and proofs that `prove` made', [])
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (log: LogName | undefined, options: VerifyAuditOptions) => {
      end(await runAuditVerify(log, options, io))
    })
}

const addProving = (audit: Command, io: Io, end: End): void => {
  audit
    .command('prove')
    .description('sign a checkpoint of a log for others to keep, with a proof if asked for')
    .addArgument(new Argument('<log>', 'the log').choices(LOG_NAMES))
    .option('--entry <seq>', 'that this entry is in the log', parseSeq)
    .option('--since <file>', 'that the log goes on from this checkpoint')
    .option('--out <file>', 'write it there')
    .option(...HOME)
    .action(async (log: LogName, options: ProveOptions) => {
      end(await runAuditProve(log, options, io))
    })
}
