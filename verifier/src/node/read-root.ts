import type { ExtraRoot, TpmRoot } from '@parley/attestation'
import { readBounded } from './read-file.js'

const MAX_BYTES = 1 << 16

/**
 * The extra root in a file, DER or PEM; none where no file is named. Whatever chain ends there is SIMULATED.
 * @throws AttestationError `argument_invalid`
 */
export const readRootFile = async (path: string | undefined): Promise<readonly ExtraRoot[]> =>
  path === undefined ? [] : [{ certificate: await readBounded(path, MAX_BYTES), simulated: true }]

type TpmRootOptions = { readonly googleRoot?: string; readonly tpmRoot?: string }

/**
 * The roots of TPMs that files name: Google's, as whoever names it says, and one of their own, which is SIMULATED.
 * @throws AttestationError `argument_invalid`
 */
export const readTpmRootFiles = async (options: TpmRootOptions): Promise<readonly TpmRoot[]> => {
  const read = async (path: string | undefined, kind: TpmRoot['kind']): Promise<readonly TpmRoot[]> =>
    path === undefined ? [] : [{ certificate: await readBounded(path, MAX_BYTES), kind }]
  return [...(await read(options.googleRoot, 'google')), ...(await read(options.tpmRoot, 'simulated'))]
}
