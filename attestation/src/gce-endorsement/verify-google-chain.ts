import { equalBytes } from '../equal-bytes.js'
import { AttestationError, type AttestationErrorCode } from '../errors.js'
import { fromHex } from '../hex.js'
import type { GoogleCertificate } from './google-certificate.js'
import { verifyRsaPssSha256 } from './rsa-pss-sha256.js'

// RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32 bytes: all that this authority signs with. RFC 4055
// §2.1 allows the hash identifiers both with NULL, as Google writes them, and without.
export const PSS_SHA256: readonly Uint8Array[] = [
  '304106092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120',
  '303d06092a864886f70d01010a3030a00d300b0609608648016503040201a11a301806092a864886f70d010108300b0609608648016503040201a203020120',
].map((encoding) => fromHex(encoding) ?? new Uint8Array())

const refuse = (code: AttestationErrorCode, what: string): AttestationError =>
  new AttestationError(code, what)

/** @throws AttestationError certificate_not_yet_valid, certificate_expired */
export const checkValidity = ({ notBeforeMs, notAfterMs }: GoogleCertificate, nowMs: number): void => {
  if (nowMs < notBeforeMs)
    throw refuse('certificate_not_yet_valid', 'a certificate of the chain is not yet valid')
  if (nowMs > notAfterMs) throw refuse('certificate_expired', 'a certificate of the chain has expired')
}

/**
 * @param below how many authorities stand between the issuer and the signer
 * @throws AttestationError chain_broken
 */
export const checkIssuer = (child: GoogleCertificate, issuer: GoogleCertificate, below: number): void => {
  const { isCa, maySignCertificates, pathLength } = issuer.authority
  if (!equalBytes(child.issuer, issuer.subject))
    throw refuse('chain_broken', 'a certificate names another issuer')
  if (!isCa || !maySignCertificates) throw refuse('chain_broken', 'an issuer may not sign certificates')
  if (pathLength !== null && below > pathLength)
    throw refuse('chain_broken', 'an issuer allows a shorter path only')
}

const checkSignature = async (child: GoogleCertificate, issuer: GoogleCertificate): Promise<void> => {
  const known = PSS_SHA256.some((algorithm) => equalBytes(algorithm, child.algorithm))
  if (!known || !(await verifyRsaPssSha256(issuer.spki, child.tbs, child.signature))) {
    throw refuse('chain_signature_invalid', 'a certificate is not signed by its issuer')
  }
}

/**
 * Verifies that a signer's certificate leads to the root. The root counts because it was passed in: of its own
 * signature nothing is asked.
 * @param intermediates from the signer's issuer up, without the root
 * @throws AttestationError chain_broken, chain_signature_invalid, certificate_not_yet_valid, certificate_expired
 */
export const verifyGoogleChain = async (
  signer: GoogleCertificate,
  intermediates: readonly GoogleCertificate[],
  root: GoogleCertificate,
  nowMs: number,
): Promise<void> => {
  let child = signer
  checkValidity(child, nowMs)
  for (const [below, issuer] of [...intermediates, root].entries()) {
    checkValidity(issuer, nowMs)
    checkIssuer(child, issuer, below)
    await checkSignature(child, issuer)
    child = issuer
  }
}
