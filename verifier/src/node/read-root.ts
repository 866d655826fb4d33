import type { ExtraRoot } from '@parley/attestation'
import { readBounded } from './read-file.js'

const MAX_BYTES = 1 << 16

/**
 * The extra root in a file, DER or PEM; none where no file is named. Whatever chain ends there is SIMULATED.
 * @throws AttestationError `argument_invalid`
 */
export const readRootFile = async (path: string | undefined): Promise<readonly ExtraRoot[]> =>
  path === undefined ? [] : [{ certificate: await readBounded(path, MAX_BYTES), simulated: true }]
