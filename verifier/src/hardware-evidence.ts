import type { Evidence } from '@parley/attestation'
import { fromBase64url, type Hardware } from '@parley/protocol'

/** The hardware part of an evidence document as `attestation` takes it: leaf, intermediate and root in this order. */
export const hardwareEvidence = (hardware: Hardware): Evidence => ({
  report: fromBase64url(hardware.report),
  certificates: [hardware.leaf_certificate, hardware.intermediate_certificate, hardware.root_certificate].map(
    (certificate) => fromBase64url(certificate),
  ),
  ...(hardware.crl === null ? {} : { crl: fromBase64url(hardware.crl) }),
})
