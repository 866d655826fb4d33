import { printable } from '@parley/verifier/node'
import { CommanderError } from 'commander'
import { explain } from './exit-code.js'
import type { Io } from './io.js'
import { buildProgram } from './program.js'

/**
 * Runs `parley`.
 * @param argv what follows the name of the program
 * @returns the exit code
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
    const known = explain(error)
    if (known === undefined) throw error
    io.err(`${printable(`parley: ${known.text}`)}\n`)
    return known.code
  }
}
