import { printableLines } from '@parley/verifier/node'
import { Command, Option } from 'commander'
import { addA2a } from './a2a-program.js'
import { addApprovals } from './approvals-program.js'
import { addAudit } from './audit-program.js'
import { DEFAULT_TAG, parseWindow } from './budget-options.js'
import { runCancel } from './cancel-command.js'
import { addConsent } from './consent-program.js'
import { addContract } from './contract-program.js'
import { type DemoOptions, runDemo } from './demo-command.js'
import { EXIT_CODES } from './exit-code.js'
import type { HomeOption } from './home.js'
import { runInit } from './init-command.js'
import { addInbox, addInvites } from './inbox-program.js'
import type { Io } from './io.js'
import { type JoinOptions, runJoin } from './join-command.js'
import { type NewOptions, runNew } from './new-command.js'
import { addLedger } from './ledger-program.js'
import { parseBits, parseSeconds } from './parse-option.js'
import type { TrustOptions } from './read-input.js'
import { addPolicy } from './policy-program.js'
import { addProvision } from './provision-program.js'
import { type PinOptions, runRelayCheck, runRelayPin } from './relay-command.js'
import { type ResultOptions, runResult } from './result-command.js'
import { GOOGLE_ROOT, ROOT, TPM_ROOT } from './root-options.js'
import { runSubmit, type SubmitOptions } from './submit-command.js'
import { runVerify, type VerifyOptions } from './verify-command.js'

const HOME = [
  '--home <dir>',
  'your identity, ledger and sessions; default: PARLEY_HOME, or ~/.parley',
] as const
const POLICY = ['--policy <file>', 'verifier policy (JSON): what you expect of a relay'] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const
const TAG = [
  '--tag <name>',
  'your name for the secret that the session is about; use a tag at one relay only, since each counts by itself',
  DEFAULT_TAG,
] as const
const LIMIT = [
  '--limit <bits>',
  'what may be told of that secret in its lifetime; it may only fall; default: as before, or 64',
  parseBits,
] as const

const WINDOW = [
  '--window <time:bits>',
  'what may be told of it in any such time, as 1d:20, by the clock of the host; it may only be narrowed',
  parseWindow,
] as const
const PAIR_LIMIT = [
  '--pair-limit <bits>',
  'what these counterparties may be told of all your secrets before your ledger says that it is more; advice',
  parseBits,
] as const

const RESULT_WAIT = new Option(
  '--wait [seconds]',
  'wait for the release and then for its hardware path; 300 unless said',
)
  .preset('300')
  .default(0, 'ask once')
  .argParser(parseSeconds)

const PIN_WAIT = new Option('--wait [seconds]', 'wait for the relay to come up; 30 unless said')
  .preset('30')
  .default(0, 'ask once')
  .argParser(parseSeconds)

const SUBMIT_WAIT = new Option('--wait <seconds>', 'how long to wait for the others')
  .default(300_000, '300')
  .argParser(parseSeconds)

/** Where a command puts its exit code. */
export type End = (code: number) => void

/** The command line of `parley`. */
export const buildProgram = (io: Io, end: End): Command => {
  const program = new Command('parley')
    .description('Confer with another agent through an attested relay.')
    .addHelpText('afterAll', EXIT_CODES)
    .configureOutput({
      writeOut: io.out,
      writeErr: (text) => {
        io.err(printableLines(text))
      },
    })
    .exitOverride()
  program
    .command('demo')
    .description('play a whole session of an offer on loopback; in the source tree')
    .option('--contract <offer>', 'an offer of the registry', 'negotiation-band')
    .addOption(
      new Option('--lane <lane>', 'the lane').choices(['confidential', 'software']).default('confidential'),
    )
    .option('--json', 'end with one line of JSON')
    .action(async (options: DemoOptions) => {
      end(await runDemo(options, io))
    })
  program
    .command('init')
    .description('make your identity')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: HomeOption & { json?: true }) => {
      end(await runInit(options, io))
    })
  addRelay(program, io, end)
  addProvision(program, io, end)
  const session = program.command('session').description('create, join and finish sessions')
  addBeginnings(session, io, end)
  addContinuations(session, io, end)
  addInvites(session, withAsker, io, end)
  addInbox(program, withAsker, io, end)
  addVerify(program, io, end)
  addAudit(program, io, end)
  addPolicy(program, io, end)
  addContract(program, io, end)
  addConsent(program, io, end)
  addLedger(program, io, end)
  addApprovals(program, io, end)
  addA2a(program, io, end)
  return program
}

const addRelay = (program: Command, io: Io, end: End): void => {
  const relay = program.command('relay').description('relays')
  relay
    .command('check')
    .description('appraise a relay over a nonce drawn now')
    .argument('<url>', 'address of its proxy')
    .requiredOption(...POLICY)
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option(...JSON_OUT)
    .action(async (url: string, options: TrustOptions & { json?: true }) => {
      end(await runRelayCheck(url, options, io))
    })
  relay
    .command('pin')
    .description('write a policy for the software-lane relay that answers now (trust on first use)')
    .argument('<url>', 'address of its proxy')
    .option('--out <file>', 'write the policy there')
    .addOption(PIN_WAIT)
    .action(async (url: string, options: PinOptions) => {
      end(await runRelayPin(url, options, io))
    })
}

const addBeginnings = (session: Command, io: Io, end: End): void => {
  const invited: (string | null)[] = []
  withBudget(session.command('new').description('create a session and print the invitation to it'))
    .requiredOption('--relay <url>', 'address of its proxy')
    .requiredOption('--contract <file>', 'the contract (JSON)')
    .option('--invite <did>', 'who may take the next seat of the contract; once for each but yours')
    .option('--open', 'whoever holds the invitation may take the next seat')
    .option('--out <file>', 'write the invitation there')
    // Both may stand several times, and their order is that of the seats.
    .on('option:invite', (did: string) => invited.push(did))
    .on('option:open', () => invited.push(null))
    .action(async (options: Omit<NewOptions, 'invited'>) => {
      end(await runNew({ ...options, invited }, io))
    })
  withBudget(
    session.command('join').description('join the session of an invitation, or of an invite at a relay'),
  )
    .argument('<invitation>', 'its file, or the id of the session')
    .option('--relay <url>', 'address of its proxy, where a session is named by its id')
    .option('--role <role>', 'the seat to take, where several are open')
    .option(...JSON_OUT)
    .action(async (path: string, options: JoinOptions) => {
      end(await runJoin(path, options, io))
    })
}

const withAsker = (command: Command): Command =>
  command
    .requiredOption('--relay <url>', 'address of its proxy')
    .requiredOption(...POLICY)
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option(...HOME)
    .option(...JSON_OUT)

const withBudget = (command: Command): Command =>
  command
    .requiredOption(...POLICY)
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option(...TAG)
    .option(...LIMIT)
    .option(...WINDOW)
    .option(...PAIR_LIMIT)
    .option(...HOME)

const addContinuations = (session: Command, io: Io, end: End): void => {
  session
    .command('submit')
    .description('appraise the offer, consent to it and submit your input')
    .argument('<session>', 'its id')
    .requiredOption('--input <file>', 'your input (JSON); it is sealed to the relay, and kept in your home')
    .option('--yes', 'consent without being asked')
    .addOption(SUBMIT_WAIT)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (id: string, options: SubmitOptions) => {
      end(await runSubmit(id, options, io))
    })
  session
    .command('result')
    .description('fetch the result, check it and save its bundle')
    .argument('<session>', 'its id')
    .option('--out <file>', 'the bundle file; default: ID.parley.json, by the first 16 digits of the id')
    .option('--open-input', 'put your own input into the bundle, for whoever gets it')
    .option('--relay <url>', 'address of its proxy, where the relay was restarted since')
    .option('--policy <file>', 'and what you expect of it now (JSON)')
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .addOption(RESULT_WAIT)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (id: string, options: ResultOptions) => {
      end(await runResult(id, options, io))
    })
  session
    .command('cancel')
    .description('end a session before all inputs are in')
    .argument('<session>', 'its id')
    .option(...HOME)
    .action(async (id: string, options: HomeOption) => {
      end(await runCancel(id, options, io))
    })
}

const addVerify = (program: Command, io: Io, end: End): void => {
  program
    .command('verify')
    .description('verify a bundle offline, as parley-verify bundle does')
    .argument('<file>', 'bundle (.parley.json)')
    .requiredOption(...POLICY)
    .option(...ROOT)
    .option(...GOOGLE_ROOT)
    .option(...TPM_ROOT)
    .option('--now <iso>', 'the time to judge at; default: the clock')
    .option(...JSON_OUT)
    .action(async (path: string, options: VerifyOptions) => {
      end(await runVerify(path, options, io))
    })
}
