import { crypto } from '#crypto'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { PcrQuote } from './parse-pcr-quote.js'

/**
 * Checks that a log leads to what the TPM attests of its registers.
 * @param registers as the log leaves them, by number
 * @throws AttestationError event_log_mismatch
 */
export const checkQuotedRegisters = async (
  { pcrs, pcrDigest }: PcrQuote,
  registers: readonly Uint8Array[],
): Promise<void> => {
  const values = pcrs.flatMap((pcr) => [...(registers[pcr] ?? [])])
  if (!equalBytes(await crypto.sha256(Uint8Array.from(values)), pcrDigest))
    throw new AttestationError('event_log_mismatch', 'the log leads to other registers than the quoted ones')
}
