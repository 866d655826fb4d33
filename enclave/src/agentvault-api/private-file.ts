import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { RelayError } from '../relay-error.js'

const OTHERS = 0o077

/**
 * The bytes of a file that only its owner may read; undefined where there is none.
 * @param what for the message
 * @throws RelayError `config_malformed` if it cannot be read, is no plain file, or is open to others
 */
export function readPrivateFile(path: string, what: string): Uint8Array | undefined {
  const file = opened(path, what)
  if (file === undefined) return undefined
  try {
    // Of the open file, not of its name: what is checked is what is read.
    const { mode } = fstatSync(file)
    if ((mode & OTHERS) !== 0)
      throw new RelayError('config_malformed', `${what}: readable by others than its owner; make it 0600`)
    return new Uint8Array(readFileSync(file))
  } catch (error) {
    if (error instanceof RelayError) throw error
    throw new RelayError('config_malformed', `${what}: cannot be read`)
  } finally {
    closeSync(file)
  }
}

function opened(path: string, what: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new RelayError('config_malformed', `${what}: cannot be opened`)
  }
}
