import type { InboxEvent } from '@parley/protocol'
import { type AskerOptions, askerOf } from './asker-options.js'
import { type Io, printJson } from './io.js'

/** The options of `parley inbox`. */
export type InboxOptions = AskerOptions & {
  readonly after: number
  /** Milliseconds; 0 asks once. */
  readonly wait: number
}

/** `parley inbox`: what happened in the sessions of this key after a number, one event a line. */
export const runInbox = async (options: InboxOptions, io: Io): Promise<number> => {
  const { participant, relay } = await askerOf(options, io)
  const first = await participant.inbox(relay, options.after, options.wait)
  const events = [...first.events]
  for (let more = first.more; more; ) {
    const next = await participant.inbox(relay, events.at(-1)?.seq ?? options.after, 0)
    events.push(...next.events)
    more = next.more
  }
  const { missed } = first
  if (options.json === true) printJson(io, { missed, events, last: events.at(-1)?.seq ?? options.after })
  else {
    if (missed > 0) io.err(`${missed} earlier events are kept no more; see session list\n`)
    io.out(events.map(lineOf).join(''))
  }
  return 0
}

const lineOf = ({ seq, at, event, session_id, role, reason_code }: InboxEvent): string => {
  const time = new Date(at * 1000).toISOString()
  return `${[seq, time, event.padEnd(9), session_id, role ?? '-', reason_code ?? '-'].join('  ')}\n`
}
