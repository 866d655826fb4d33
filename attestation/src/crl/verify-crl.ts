import { isSignedBy } from '../certificate/is-signed-by.js'
import type { Certificate } from '../certificate/parse-certificate.js'
import { equalBytes } from '../equal-bytes.js'
import { demand } from '../errors.js'
import { toHex } from '../hex.js'
import type { RevocationList } from './parse-crl.js'

/** The two certificates that a root issues: itself and the intermediate. */
export type Issued = { readonly intermediate: Certificate; readonly root: Certificate }

const isRevoked = ({ serial }: Certificate, { revoked }: RevocationList, nowMs: number): boolean => {
  const revokedAtMs = revoked.get(toHex(serial))
  return revokedAtMs !== undefined && revokedAtMs <= nowMs
}

/**
 * A CRL is the root's, of this time or before; what it revokes is not asked.
 * @throws AttestationError crl_issuer_mismatch, crl_signature_invalid, crl_not_yet_valid
 */
export const verifyCrlOrigin = async (
  crl: RevocationList,
  root: Certificate,
  nowMs: number,
): Promise<void> => {
  const ofRoot = equalBytes(crl.issuer.der, root.subject.der) && root.authority.maySignCrls
  demand(ofRoot, 'crl_issuer_mismatch', 'the CRL is not of the root of this chain')
  demand(await isSignedBy(root, crl), 'crl_signature_invalid', "the CRL's signature is not that of the root")
  demand(crl.thisUpdateMs <= nowMs, 'crl_not_yet_valid', 'the CRL is of a later time')
}

/**
 * A CRL is the root's, of this time or before, and revokes nothing that the chain rests on. Leaves are not the root's:
 * their serial numbers are all zero and in no list. Whether the CRL is new enough is for a policy to say.
 * @param issued the intermediate, and the root whose word counts; their signatures are verified already
 * @throws AttestationError crl_issuer_mismatch, crl_signature_invalid, crl_not_yet_valid, certificate_revoked
 * @see RFC 5280 §6.3.3
 */
export const verifyCrl = async (
  crl: RevocationList,
  { intermediate, root }: Issued,
  nowMs: number,
): Promise<void> => {
  await verifyCrlOrigin(crl, root, nowMs)
  for (const certificate of [intermediate, root]) {
    const { commonName } = certificate.subject
    demand(!isRevoked(certificate, crl, nowMs), 'certificate_revoked', `${commonName} is revoked`)
  }
}
