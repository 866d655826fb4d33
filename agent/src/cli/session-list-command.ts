import type { Invite, SessionRow } from '@parley/protocol'
import { type AskerOptions, askerOf } from './asker-options.js'
import { type Io, printJson } from './io.js'

/** `parley session list`: the sessions of this key at a relay, and the invites that wait for it. */
export const runSessionList = async (options: AskerOptions, io: Io): Promise<number> => {
  const { participant, relay } = await askerOf(options, io)
  const { invites, left_off } = await participant.invites(relay)
  const listed = await participant.sessions(relay)
  if (options.json === true) {
    printJson(io, { invites, sessions: listed.sessions, left_off: left_off + listed.left_off })
    return 0
  }
  io.out([...invites.map(inviteLine), ...listed.sessions.map(sessionLine)].join(''))
  if (left_off + listed.left_off > 0) io.err(`${left_off + listed.left_off} more are not shown\n`)
  return 0
}

const sessionLine = ({ session_id, role, state, expires_at }: SessionRow): string =>
  line([session_id, state.padEnd(10), role, expires_at === null ? '-' : dateOf(expires_at)])

const inviteLine = ({ session_id, role, known, seats, expires_at }: Invite): string =>
  line([
    session_id,
    'INVITED'.padEnd(10),
    role,
    dateOf(expires_at),
    `from ${seats[0] ?? '-'}${known ? '' : ' (new to you)'}`,
  ])

const line = (parts: readonly string[]): string => `${parts.join('  ')}\n`

const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
