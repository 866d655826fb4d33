import type { Evidence as HardwareEvidence } from '@parley/attestation'
import {
  type Evidence,
  fromBase64url,
  type Hardware,
  type KeyConfig,
  keysetDigest,
  keysetLeaf,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseEvidence,
  parseKeyConfigs,
  ProtocolError,
  reportDataOf,
  verifyBinding,
} from '@parley/protocol'

/** Evidence with hardware, and the key that it speaks of. Nothing of it is proven. */
export type ReadEvidence = {
  readonly evidence: Evidence
  readonly config: KeyConfig
  readonly hardware: Hardware
}

/** Reads an evidence document; undefined where it is malformed or has no hardware. */
export const readEvidence = (bytes: Uint8Array): ReadEvidence | undefined =>
  orUndefined(() => {
    const evidence = parseEvidence(parseCanonicalJson(bytes))
    const [config] = parseKeyConfigs(fromBase64url(evidence.keyset.ohttp_keys))
    const { hardware } = evidence.binding
    return config === undefined || hardware === null ? undefined : { evidence, config, hardware }
  })

/** The REPORT_DATA that a report over this keyset and nonce must carry; undefined where path or possession fail. */
export const reportDataFor = ({ keyset, nonce, binding }: Evidence): Uint8Array | undefined =>
  orUndefined(() => {
    const keys = {
      keysetDigest: keysetDigest(keyset),
      receiptKey: parseEd25519PublicKey(fromBase64url(keyset.receipt_key, 32)),
    }
    return reportDataOf(keyset.lane, verifyBinding(keyset.lane, binding, keysetLeaf(keyset, nonce), keys))
  })

const orUndefined = <T>(read: () => T | undefined): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

/** Leaf, intermediate and root, as the document places them. */
export const certificatesOf = (hardware: Hardware): readonly Uint8Array[] =>
  [hardware.leaf_certificate, hardware.intermediate_certificate, hardware.root_certificate].map(
    (certificate) => fromBase64url(certificate),
  )

/** What an appraisal takes. */
export const hardwareParts = (hardware: Hardware): HardwareEvidence => ({
  report: fromBase64url(hardware.report),
  certificates: certificatesOf(hardware),
  ...(hardware.crl === null ? {} : { crl: fromBase64url(hardware.crl) }),
})
