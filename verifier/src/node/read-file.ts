import { readFile, stat } from 'node:fs/promises'
import { AttestationError } from '@parley/attestation'

/**
 * The bytes of a regular file.
 * @throws AttestationError `argument_invalid` where it cannot be read or is over the bound
 */
export const readBounded = async (path: string, maxBytes: number): Promise<Uint8Array> => {
  const { size } = await attempt(path, stat(path))
  if (size > maxBytes) throw unusable(path, `over ${maxBytes} bytes`)
  return attempt(path, readFile(path))
}

/** What a file operation gives, or the usage error that names its path. */
export const attempt = async <T>(path: string, operation: Promise<T>): Promise<T> => {
  try {
    return await operation
  } catch (error) {
    throw unusable(path, error instanceof Error && 'code' in error ? String(error.code) : 'cannot be read')
  }
}

const unusable = (path: string, why: string): AttestationError =>
  new AttestationError('argument_invalid', `${path}: ${why}`)
