import { AttestationError, type BootAttester } from '@parley/attestation'
import {
  type BootEvidence,
  type BootRecord,
  fromBase64url,
  type Hardware,
  qualifyingDataOf,
  sha256,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { RelayError } from '../relay-error.js'

/**
 * What this machine's TPM attests beside a report: quoted for this report and this keyset alone (SPEC §28).
 * @throws RelayError `report_failed`
 */
export async function attestBoot(
  attester: BootAttester,
  keysetDigest: string,
  report: Hardware['report'],
): Promise<BootEvidence> {
  const record = recordOf(attester)
  const quoted = { report_digest: toHex(sha256(fromBase64url(report))), keyset_digest: keysetDigest }
  try {
    const { quote, signature } = await attester.quote(qualifyingDataOf('confidential', quoted, record))
    return { ...record, quote: toBase64url(quote), signature: toBase64url(signature) }
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new RelayError('report_failed', `${error.code}: ${error.message}`)
  }
}

const recordOf = ({ record }: BootAttester): BootRecord => ({
  ak_public: toBase64url(record.akPublic),
  ak_certificates: record.akCertificates.map(toBase64url),
  event_log: toBase64url(record.eventLog),
})
