import { readPem } from '../certificate/pem.js'
import type { Trustee } from '../checks.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError, demand } from '../errors.js'
import type { TpmRoot } from '../evidence.js'
import { checkIssuer, checkValidity } from '../gce-endorsement/verify-google-chain.js'
import { isSignedByIssuer } from './is-signed-by-issuer.js'
import { parseTpmCertificate, type TpmCertificate } from './tpm-certificate.js'

const DER_SEQUENCE = 0x30

type Anchor = { readonly certificate: TpmCertificate; readonly trusted_for: 'google' | 'simulated root' }

const readRoot = ({ certificate: file, kind }: TpmRoot): Anchor => {
  try {
    const [der, ...more] = file[0] === DER_SEQUENCE ? [file] : readPem(file)
    if (der === undefined || more.length > 0)
      throw new AttestationError('argument_invalid', 'a root of TPMs is not one certificate')
    return {
      certificate: parseTpmCertificate(der),
      trusted_for: kind === 'google' ? 'google' : 'simulated root',
    }
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new AttestationError('argument_invalid', `a root of TPMs can't be read: ${error.message}`)
  }
}

/** Roots are the caller's own: bad ones are an error of usage, whatever the evidence holds. */
export const readTpmRoots = (roots: readonly TpmRoot[]): readonly Anchor[] => roots.map(readRoot)

const climb = async (chain: readonly TpmCertificate[], nowMs: number): Promise<void> => {
  for (const [at, child] of chain.entries()) {
    checkValidity(child, nowMs)
    const issuer = chain[at + 1]
    if (issuer === undefined) return
    checkIssuer(child, issuer, at)
    demand(
      await isSignedByIssuer(child, issuer),
      'chain_signature_invalid',
      'a certificate of the attestation key is not signed by its issuer',
    )
  }
}

/**
 * Verifies that a root vouches for an attestation key: its certificate first, then that of each issuer, up to below the
 * root. A root counts because it was passed in.
 * @param spki of the attestation key; the first certificate must be of it
 * @returns whose root it is
 * @throws AttestationError root_missing without any root; collateral_missing without a certificate;
 * attestation_key_mismatch; chain_broken, chain_signature_invalid, certificate_expired, certificate_not_yet_valid
 */
export const verifyKeyCertificate = async (
  spki: Uint8Array,
  certificates: readonly TpmCertificate[],
  anchors: readonly Anchor[],
  nowMs: number,
): Promise<Trustee> => {
  if (anchors.length === 0) throw new AttestationError('root_missing', 'no root of TPMs was passed in')
  const [leaf] = certificates
  const last = certificates.at(-1)
  if (leaf === undefined || last === undefined)
    throw new AttestationError('collateral_missing', 'the attestation key has no certificate')
  demand(equalBytes(leaf.spki, spki), 'attestation_key_mismatch', 'the certificate is of another key')
  demand(!leaf.authority.isCa, 'attestation_key_unsuitable', 'the attestation key is an authority')
  const anchor = anchors.find(({ certificate }) => equalBytes(certificate.subject, last.issuer))
  if (anchor === undefined) throw new AttestationError('chain_broken', 'the chain ends at another root')
  await climb([...certificates, anchor.certificate], nowMs)
  return anchor.trusted_for
}
