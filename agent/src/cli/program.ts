import { printableLines } from '@parley/verifier/node'
import { Command, Option } from 'commander'
import { DEFAULT_TAG } from './budget-options.js'
import { runCancel } from './cancel-command.js'
import { EXIT_CODES } from './exit-code.js'
import type { HomeOption } from './home.js'
import { runInit } from './init-command.js'
import type { Io } from './io.js'
import { type JoinOptions, runJoin } from './join-command.js'
import { type NewOptions, runNew } from './new-command.js'
import { parseBits, parseSeconds } from './parse-option.js'
import type { TrustOptions } from './read-input.js'
import { type PinOptions, runRelayCheck, runRelayPin } from './relay-command.js'
import { type ResultOptions, runResult } from './result-command.js'
import { runSubmit, type SubmitOptions } from './submit-command.js'
import { runVerify, type VerifyOptions } from './verify-command.js'

const HOME = [
  '--home <dir>',
  'your identity, ledger and sessions; default: PARLEY_HOME, or ~/.parley',
] as const
const POLICY = ['--policy <file>', 'verifier policy (JSON): what you expect of a relay'] as const
const ROOT = [
  '--root <file>',
  'extra root, DER or PEM; counts only with accept_simulated in the policy',
] as const
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

const SUBMIT_WAIT = new Option('--wait <seconds>', 'how long to wait for the other side')
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
    .command('init')
    .description('make your identity')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: HomeOption & { json?: true }) => {
      end(await runInit(options, io))
    })
  addRelay(program, io, end)
  const session = program.command('session').description('create, join and finish sessions')
  addBeginnings(session, io, end)
  addContinuations(session, io, end)
  addVerify(program, io, end)
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
  withBudget(session.command('new').description('create a session and print the invitation to it'))
    .requiredOption('--relay <url>', 'address of its proxy')
    .requiredOption('--contract <file>', 'the contract (JSON)')
    .option('--responder <did>', 'who may join')
    .option('--open', 'whoever holds the invitation may join')
    .option('--out <file>', 'write the invitation there')
    .action(async (options: NewOptions) => {
      end(await runNew(options, io))
    })
  withBudget(session.command('join').description('join the session of an invitation'))
    .argument('<invitation>', 'file')
    .option(...JSON_OUT)
    .action(async (path: string, options: JoinOptions) => {
      end(await runJoin(path, options, io))
    })
}

const withBudget = (command: Command): Command =>
  command
    .requiredOption(...POLICY)
    .option(...ROOT)
    .option(...TAG)
    .option(...LIMIT)
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
    .addOption(RESULT_WAIT)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (id: string, options: ResultOptions) => {
      end(await runResult(id, options, io))
    })
  session
    .command('cancel')
    .description('end a session before both inputs are in')
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
    .option('--now <iso>', 'the time to judge at; default: the clock')
    .option(...JSON_OUT)
    .action(async (path: string, options: VerifyOptions) => {
      end(await runVerify(path, options, io))
    })
}
