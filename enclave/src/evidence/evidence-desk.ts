import { type Evidence, fromBase64url, keysetLeaf, sha256, toHex } from '@parley/protocol'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Reporter } from './reporter.js'

/** The relay's evidence documents. */
export type EvidenceDesk = {
  /** Made at boot, with a null nonce: never fresh. */
  readonly bootEvidence: Evidence
  /** Lower-case hex SHA-256 of the report made at boot; null in the software lane. */
  readonly attestationHash: string | null
  /**
   * A document for a caller's nonce (base64url, 32 octets).
   * @throws RelayError as the reporter
   */
  readonly evidenceFor: (nonce: string) => Promise<Evidence>
}

/**
 * Makes the boot document; without it there is no desk.
 * @throws RelayError as the reporter
 */
export async function openEvidenceDesk(
  { keyset }: Pick<RelayKeys, 'keyset'>,
  reporter: Reporter,
): Promise<EvidenceDesk> {
  const documentFor = async (nonce: string | null): Promise<Evidence> => {
    const binding = await reporter.bind(keysetLeaf(keyset, nonce))
    return { version: 'parley-evidence-v1', keyset, nonce, binding }
  }
  const bootEvidence = await documentFor(null)
  const { hardware } = bootEvidence.binding
  return {
    bootEvidence,
    attestationHash: hardware === null ? null : toHex(sha256(fromBase64url(hardware.report))),
    evidenceFor: documentFor,
  }
}
