import type { Command } from 'commander'
import { type PeerListOptions, runListEndpoints, runListOrigins } from './a2a-list-command.js'
import { type PairOptions, runPair } from './a2a-pair-command.js'
import { runSend, type SendOptions } from './a2a-send-command.js'
import { runServe, type ServeOptions } from './a2a-serve-command.js'
import { runShowEndpoint, runShowOrigin } from './a2a-show-command.js'
import { type DoctorOptions, runDoctor } from './doctor-command.js'
import type { HomeOption } from './home.js'
import { runShowInstanceId } from './instance-id-show-command.js'
import type { Io } from './io.js'
import { parsePort } from './a2a-port.js'
import { parseCount, parseSeconds } from './parse-option.js'

const HOME = ['--home <dir>', 'your identity and pairings; default: PARLEY_HOME, or ~/.parley'] as const
const JSON_OUT = ['--json', 'print one JSON document'] as const
const PUBLIC_URL = [
  '--public-url <url>',
  'the address that peers use, to be looked at; default: PARLEY_A2A_PUBLIC_URL',
] as const
const TARGET = 'its id, its label, or how its id begins'

type End = (code: number) => void

/** `parley a2a …`, `parley instance-id …`, `parley doctor`: tasks between agents, after Corvin A2A v4. */
export const addA2a = (program: Command, io: Io, end: End): void => {
  const a2a = program
    .command('a2a')
    .description('give tasks to other agents, and take theirs (Corvin A2A v4)')
  addPair(a2a, io, end)
  addSend(a2a, io, end)
  addServe(a2a, io, end)
  addLists(a2a, io, end)
  addShows(a2a, io, end)
  program
    .command('instance-id')
    .description('this instance, as its peers know it')
    .command('show')
    .description('print its id and identifier; with --json as `a2a pair --peer` takes them')
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: HomeOption & { json?: true }) => {
      end(await runShowInstanceId(options, io))
    })
  program
    .command('doctor')
    .description('look at your home, and say what would not work; ends with 1 if something would not')
    .option(...PUBLIC_URL)
    .option(...HOME)
    .option(...JSON_OUT)
    .action(async (options: DoctorOptions) => {
      end(await runDoctor(options, io))
    })
}

const addPair = (a2a: Command, io: Io, end: End): void => {
  a2a
    .command('pair')
    .description('take tasks from a peer (URL, --peer, --out), or send them to one that does (--accept)')
    .argument('<label>', 'what you call the peer')
    .argument('[url]', 'where the peer reaches you: https, or http on this machine')
    .option('--peer <file>', 'what the peer’s `parley instance-id show --json` prints')
    .option('--out <file>', 'write the pairing for the peer there; it holds keys')
    .option('--accept <file>', 'the pairing that the peer wrote for you')
    .option('--id <id>', 'the name of its file; default: a fresh one')
    .option('--enable', 'turn it on at once')
    .option('--force', 'take the place of a pairing of that id')
    .option('--max-ttl <seconds>', 'the longest life of a task', parseCount, 300)
    .option(
      '--persona <name>',
      'run its tasks, as this persona; without one they are recorded only',
      collect,
      [],
    )
    .option('--purpose <id>', 'take tasks for this purpose only; several times for several', collect, [])
    .option(...HOME)
    .action(async (label: string, url: string | undefined, options: PairOptions) => {
      end(await runPair(label, url, options, io))
    })
}

const addSend = (a2a: Command, io: Io, end: End): void => {
  a2a
    .command('send')
    .description('give a peer a task, and print what it answers')
    .argument('<endpoint>', TARGET)
    .argument('<text>', 'the instruction, or - for standard input')
    .option('--ttl <seconds>', 'the life of the task; default: the endpoint’s', parseCount)
    .option('--timeout <seconds>', 'for the whole exchange; default: the life and 30 seconds', parseSeconds)
    .option('--schema <file>', 'what may come back (JSON); without it nothing does')
    .option('--attach <file>', 'send a file along; several times for several', collect, [])
    .option('--label <label>', 'PUBLIC, INTERNAL, CONFIDENTIAL or SECRET, for the files')
    .option('--attach-out-dir <dir>', 'keep the files that come back there')
    .option('--purpose <id>', 'what for')
    .option(...HOME)
    .action(async (name: string, text: string, options: SendOptions) => {
      end(await runSend(name, text, options, io))
    })
}

const addServe = (a2a: Command, io: Io, end: End): void => {
  a2a
    .command('serve')
    .description('take tasks; COMMAND works on them, with your rights: nothing confines it')
    .argument('[command...]', 'after --: gets the instruction on standard input, prints the result')
    .option('--host <host>', 'where to listen', '127.0.0.1')
    .option('--port <port>', 'where to listen', parsePort, 7433)
    .option('--max-label <label>', 'the strictest label that the command may see', 'INTERNAL')
    .option('--engine <id>', 'what HOME/policy calls the command; default: command')
    .option('--approval-wait <seconds>', 'how long your approval is waited for; default: 120', parseSeconds)
    .option('--runs-per-minute <n>', 'how often the command may run for one origin; default: 60', parseCount)
    .option(...PUBLIC_URL)
    .option(...HOME)
    .action(async (command: string[], options: ServeOptions) => {
      end(await runServe(command, options, io))
    })
}

const addLists = (a2a: Command, io: Io, end: End): void => {
  for (const [name, description, run] of [
    ['list-origins', 'who may send tasks here', runListOrigins],
    ['list-endpoints', 'who takes tasks from here', runListEndpoints],
  ] as const)
    a2a
      .command(name)
      .description(description)
      .option(...HOME)
      .option(...JSON_OUT)
      .action(async (options: PeerListOptions) => {
        end(await run(options, io))
      })
}

const addShows = (a2a: Command, io: Io, end: End): void => {
  for (const [name, description, run] of [
    ['show-origin', 'what one of them may do here, without its keys', runShowOrigin],
    ['show-endpoint', 'one of them, without its keys', runShowEndpoint],
  ] as const)
    a2a
      .command(name)
      .description(description)
      .argument('<peer>', TARGET)
      .option(...HOME)
      .action(async (peer: string, options: HomeOption) => {
        end(await run(peer, options, io))
      })
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
