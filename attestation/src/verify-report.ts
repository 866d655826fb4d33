import type { SignedReport } from './brand.js'
import { AttestationError } from './errors.js'
import type { Evidence, Terms } from './evidence.js'
import { examineEvidence, STRICT } from './examine-evidence.js'

/**
 * A report that AMD, or a root that the caller passed in, stands for: signature, chain up to a pinned root, dates at
 * `now`, TCB and chip all agree. Says nothing about whether it is the report that somebody wants.
 * @param input report of 1184 bytes, certificates in any order, `now`, and extra roots
 * @throws AttestationError any code of class malformed or not_genuine; argument_invalid for `now` or a root
 * @see AMD 56860, ATTESTATION_REPORT; AMD 57230
 */
export const verifyReport = async (input: Evidence & Terms): Promise<SignedReport> => {
  const { signed, checks } = await examineEvidence(input, input, STRICT)
  if (signed !== null) return signed
  const failed = checks.find(({ result }) => result === 'failed')
  throw new AttestationError(failed?.code ?? 'report_malformed', `the check ${failed?.name ?? ''} failed`)
}
