import { type Bundle, canonicalBytes } from '@parley/protocol'
import { replacePrivateFile } from './private-file.js'

/** The exact bytes of a bundle file (SPEC §15). */
export const bundleBytes = (bundle: Bundle): Uint8Array => canonicalBytes(bundle)

/** Writes a bundle file, whole or not at all; only its owner may read it, since it may open the owner's input. */
export const saveBundle = (path: string, bundle: Bundle): Promise<void> =>
  replacePrivateFile(path, bundleBytes(bundle))
