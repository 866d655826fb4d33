import { DECLINE_REASONS } from '@parley/protocol'
import { type Command, Option } from 'commander'
import type { AskerOptions } from './asker-options.js'
import { type DeclineOptions, runDecline } from './decline-command.js'
import { type InboxOptions, runInbox } from './inbox-command.js'
import type { Io } from './io.js'
import { parseSeconds, parseSeq } from './parse-option.js'
import { runSessionList } from './session-list-command.js'

/** Gives a command what it takes to ask a relay as a key. */
export type WithAsker = (command: Command) => Command

const WAIT = new Option('--wait [seconds]', 'wait for something new; 300 unless said')
  .preset('300')
  .default(0, 'ask once')
  .argParser(parseSeconds)

/** Registers `parley inbox`. */
export const addInbox = (
  program: Command,
  withAsker: WithAsker,
  io: Io,
  end: (code: number) => void,
): void => {
  withAsker(program.command('inbox').description('what happened in your sessions and invites at a relay'))
    .option('--after <number>', 'the last event that you have read', parseSeq, 0)
    .addOption(WAIT)
    .action(async (options: InboxOptions) => {
      end(await runInbox(options, io))
    })
}

/** Registers `parley session list` and `parley session decline`. */
export const addInvites = (
  session: Command,
  withAsker: WithAsker,
  io: Io,
  end: (code: number) => void,
): void => {
  withAsker(
    session.command('list').description('your sessions at a relay, and the invites that wait for you'),
  ).action(async (options: AskerOptions) => {
    end(await runSessionList(options, io))
  })
  withAsker(session.command('decline').description('end a session that you are invited to'))
    .argument('<session>', 'its id')
    .option('--reason <code>', DECLINE_REASONS.join(', '), 'OTHER')
    .action(async (id: string, options: DeclineOptions) => {
      end(await runDecline(id, options, io))
    })
}
