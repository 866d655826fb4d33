import { AttestationError, type AttestationErrorCode } from '../../errors.js'

// TPM 2.0 Library, Part 2, §6.6.3. Format-one codes also say which handle, session or parameter is meant.
const FORMAT_ONE = 0x080
const FORMAT_ONE_MASK = 0x0bf

const MEANINGS: ReadonlyMap<number, AttestationErrorCode> = new Map<number, AttestationErrorCode>([
  // TPM_RC_FAILURE: it is in failure mode until it is started again.
  [0x101, 'collector_disabled'],
  // TPM_RC_NV_LOCKED, TPM_RC_NV_AUTHORIZATION
  [0x148, 'collector_forbidden'],
  [0x149, 'collector_forbidden'],
  // TPM_RC_NV_UNINITIALIZED
  [0x14a, 'tpm_key_missing'],
  // TPM_RC_YIELDED, TPM_RC_TESTING, TPM_RC_NV_RATE, TPM_RC_RETRY
  [0x908, 'collector_busy'],
  [0x90a, 'collector_busy'],
  [0x920, 'collector_busy'],
  [0x922, 'collector_busy'],
  // TPM_RC_LOCKOUT
  [0x921, 'collector_forbidden'],
  // TPM_RC_HANDLE: there is nothing under that number.
  [0x08b, 'tpm_key_missing'],
  // TPM_RC_AUTH_FAIL, TPM_RC_BAD_AUTH
  [0x08e, 'collector_forbidden'],
  [0x0a2, 'collector_forbidden'],
])

/** What a response code other than success means. */
export const tpmFailure = (command: string, code: number): AttestationError => {
  const kind = (code & FORMAT_ONE) === 0 ? code : code & FORMAT_ONE_MASK
  const meaning = MEANINGS.get(kind) ?? 'tpm_refused'
  return new AttestationError(meaning, `${command}: response code 0x${code.toString(16)}`)
}
