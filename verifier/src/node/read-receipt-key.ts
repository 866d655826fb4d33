import type { Ed25519PublicKey } from '@parley/protocol'
import { parseReceiptKey } from '../receipt-key.js'
import { readBounded } from './read-file.js'

const MAX_BYTES = 4 << 20

/**
 * The public key in a file, in any spelling of `parseReceiptKey`.
 * @throws AttestationError `argument_invalid`; ProtocolError
 */
export const readReceiptKey = async (path: string): Promise<Ed25519PublicKey> =>
  parseReceiptKey(new TextDecoder().decode(await readBounded(path, MAX_BYTES)))
