import { TPM } from './algorithms.js'
import { FieldReader, TPM_FORM } from './field-reader.js'

/** What a TPM attests about its registers. Parsed, and not verified. */
export type PcrQuote = {
  /** What was signed: TPMS_ATTEST. */
  readonly signed: Uint8Array
  /** What whoever asked had it say. */
  readonly qualifyingData: Uint8Array
  /** Numbers of the quoted registers of the SHA-256 bank, ascending. */
  readonly pcrs: readonly number[]
  /** SHA-256 over their values, in that order. */
  readonly pcrDigest: Uint8Array
}

const MAX_NAME_BYTES = 34
const MAX_DATA_BYTES = 64
// Clock, resetCount, restartCount, safe; firmwareVersion.
const CLOCK_AND_VERSION_BYTES = 17 + 8
const MAX_SELECT_BYTES = 4
const DIGEST_BYTES = 32

const readSelection = (reader: FieldReader): number[] => {
  if (reader.uint32() !== 1) throw reader.malformed('not one bank of registers')
  if (reader.uint16() !== TPM.sha256) throw reader.malformed('another bank than SHA-256')
  const length = reader.uint8()
  if (length > MAX_SELECT_BYTES) throw reader.malformed('a selection is too long')
  return [...reader.bytes(length)].flatMap((byte, at) =>
    Array.from({ length: 8 }, (_, bit) => bit)
      .filter((bit) => (byte & (1 << bit)) !== 0)
      .map((bit) => 8 * at + bit),
  )
}

/**
 * A TPMS_ATTEST that is a quote of registers of the SHA-256 bank.
 * @throws AttestationError boot_evidence_malformed
 * @see TPM 2.0 Library, Part 2, §10.12.8
 */
export const parsePcrQuote = (signed: Uint8Array): PcrQuote => {
  const reader = new FieldReader(signed, TPM_FORM)
  if (reader.uint32() !== TPM.generated) throw reader.malformed('not made by a TPM')
  if (reader.uint16() !== TPM.quote) throw reader.malformed('attested is something else than registers')
  reader.sized(MAX_NAME_BYTES, 'the name of the signer')
  const qualifyingData = reader.sized(MAX_DATA_BYTES, 'the qualifying data')
  reader.bytes(CLOCK_AND_VERSION_BYTES)
  const pcrs = readSelection(reader)
  const pcrDigest = reader.sized(DIGEST_BYTES, 'the digest of the registers')
  reader.finish('the quote')
  return { signed, qualifyingData, pcrs, pcrDigest }
}
