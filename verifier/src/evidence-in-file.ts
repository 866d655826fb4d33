import { type Evidence, parseQuote, tableCertificates, tableCrl } from '@parley/attestation'
import { parseCanonicalJson, parseEvidence } from '@parley/protocol'
import { hardwareEvidence } from './hardware-evidence.js'

const OPENING_BRACE = 0x7b

/**
 * The report and the certificates in one file: an evidence document, or a raw quote. Null for a document of the
 * software lane, which has none.
 * @throws AttestationError, ProtocolError
 */
export const evidenceInFile = (bytes: Uint8Array): Evidence | null => {
  if (bytes[0] === OPENING_BRACE) return fromDocument(bytes)
  const { report, table } = parseQuote(bytes)
  return { report, certificates: tableCertificates(table), ...tableCrl(table) }
}

const fromDocument = (bytes: Uint8Array): Evidence | null => {
  const { hardware } = parseEvidence(parseCanonicalJson(bytes)).binding
  return hardware === null ? null : hardwareEvidence(hardware)
}
