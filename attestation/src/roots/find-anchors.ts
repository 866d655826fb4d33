import { distinctCertificates } from '../certificate/distinct-certificates.js'
import type { Certificate } from '../certificate/parse-certificate.js'
import { rootName } from '../chain/names.js'
import type { Trustee } from '../checks.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'
import { fingerprint } from './fingerprint.js'
import { AMD_ROOTS } from './pins.js'

/** A root that is trusted, and for what. */
export type Anchor = {
  readonly certificate: Certificate
  readonly trusted_for: Exclude<Trustee, 'nobody' | 'google'>
}

const isPinned = async ({ der, publicKey }: Certificate, product: ProductLine): Promise<boolean> => {
  const pin = AMD_ROOTS.find((row) => row.product === product)
  return (await fingerprint(der)) === pin?.certificate && (await fingerprint(publicKey.spki)) === pin.spki
}

const trustIn = async (
  certificate: Certificate,
  extraRoots: readonly Certificate[],
  product: ProductLine,
): Promise<Anchor['trusted_for'] | null> => {
  // The pin is asked first, so that no extra root can pass for AMD's.
  if (await isPinned(certificate, product)) return 'amd'
  return extraRoots.some(({ der }) => equalBytes(der, certificate.der)) ? 'simulated root' : null
}

/**
 * The trusted ones among the certificates that bear the name of a product line's root: AMD's, which equal their pin,
 * and those that the caller passed in, byte for byte. The evidence has to bring its root along, and what it brings is
 * a hint, whatever it is called.
 * @throws AttestationError collateral_missing where none bears the name, root_not_pinned where none is trusted
 */
export const findAnchors = async (
  certificates: readonly Certificate[],
  extraRoots: readonly Certificate[],
  product: ProductLine,
): Promise<Anchor[]> => {
  const named = certificates.filter(({ subject }) => subject.commonName === rootName(product))
  const candidates = distinctCertificates(named)
  if (candidates.length === 0)
    throw new AttestationError('collateral_missing', `there is no ${rootName(product)}`)
  const anchors: Anchor[] = []
  for (const certificate of candidates) {
    const trusted_for = await trustIn(certificate, extraRoots, product)
    if (trusted_for !== null) anchors.push({ certificate, trusted_for })
  }
  if (anchors.length === 0)
    throw new AttestationError('root_not_pinned', `no ${rootName(product)} equals a pin`)
  return anchors
}
