import { AttestationError, failureClass } from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import { CommanderError } from 'commander'
import { printable } from '../printable.js'
import { buildProgram } from './program.js'

/** What the command line is given instead of the process: so a test can be the process. */
export type Io = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Milliseconds since 1970, where no `--now` is given. */
  readonly now: number
}

/**
 * Runs `parley-verify`.
 * @param argv what follows the name of the program
 * @returns the exit code: 0 trusted or genuine, 1 usage, 2 not genuine, 3 not what was expected, 4 does not match,
 * 5 malformed
 * @see protocol SPEC §16
 */
export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  const ended = { code: 1 }
  try {
    await buildProgram(io, (code) => {
      ended.code = code
    }).parseAsync(argv, { from: 'user' })
    return ended.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1
    if (!isUsage(error)) throw error
    io.err(`${printable(`parley-verify: ${error.code}: ${error.message}`)}\n`)
    return 1
  }
}

const isUsage = (error: unknown): error is AttestationError | ProtocolError =>
  error instanceof ProtocolError ||
  (error instanceof AttestationError && failureClass(error.code) === 'usage')
