import { isSignedBy } from '../certificate/is-signed-by.js'
import type { Certificate } from '../certificate/parse-certificate.js'
import { parseIntermediateName } from '../chain/names.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { type Anchor, findAnchors } from '../roots/find-anchors.js'
import type { AuthorityItem } from './collateral-item.js'

/** An intermediate and the trusted root that issued it. */
export type Authorities = { readonly intermediate: Certificate; readonly anchor: Anchor }

const anchorsAmong = async (
  certificates: readonly Certificate[],
  extraRoots: readonly Certificate[],
  item: AuthorityItem,
): Promise<Anchor[]> => {
  try {
    return await findAnchors(certificates, extraRoots, item.product)
  } catch (error) {
    if (error instanceof AttestationError) return []
    throw error
  }
}

const isIssuedBy = async (child: Certificate, issuer: Certificate): Promise<boolean> =>
  equalBytes(child.issuer.der, issuer.subject.der) && isSignedBy(issuer, child)

/** The intermediate that an item asks for, under a trusted root, if both are among certificates. */
export const acceptChain = async (
  certificates: readonly Certificate[],
  extraRoots: readonly Certificate[],
  item: AuthorityItem,
): Promise<Authorities | null> => {
  const intermediates = certificates.filter(({ subject }) => {
    const name = parseIntermediateName(subject.commonName)
    return name?.signs === item.signs && name.product === item.product
  })
  for (const anchor of await anchorsAmong(certificates, extraRoots, item)) {
    for (const intermediate of intermediates) {
      if (await isIssuedBy(intermediate, anchor.certificate)) return { intermediate, anchor }
    }
  }
  return null
}
