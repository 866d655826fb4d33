import { AttestationError, failureClass } from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import { printable } from '../printable.js'
import type { Io } from './run.js'

/**
 * The exit code of a command for which a malformed file is an outcome: 5. A usage error is left to whoever runs the
 * program.
 */
export const ending = async (io: Io, run: () => Promise<number>): Promise<number> => {
  try {
    return await run()
  } catch (error) {
    const known = error instanceof AttestationError || error instanceof ProtocolError
    if (!known || (error instanceof AttestationError && failureClass(error.code) === 'usage')) throw error
    io.err(`${printable(`parley-verify: ${error.code}: ${error.message}`)}\n`)
    return 5
  }
}
