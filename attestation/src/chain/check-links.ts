import type { Certificate } from '../certificate/parse-certificate.js'
import { equalBytes } from '../equal-bytes.js'

/** Three certificates of which each names the next as its issuer. Nothing is verified yet. */
export type Links = {
  readonly leaf: Certificate
  readonly intermediate: Certificate
  readonly root: Certificate
}

const isIssuedBy = (child: Certificate, issuer: Certificate): boolean =>
  equalBytes(child.issuer.der, issuer.subject.der) &&
  // All names of one authority differ in their common name only.
  equalBytes(child.subject.prefix, issuer.subject.prefix)

const isAuthority = ({ authority, publicKey }: Certificate): boolean =>
  authority.isCa && authority.maySignCertificates && publicKey.algorithm === 'rsa-4096'

const isEndEntity = ({ authority, publicKey }: Certificate): boolean =>
  !authority.isCa && !authority.maySignCertificates && publicKey.algorithm === 'p384'

/** Whether the three fit together by name, role and kind of key. */
export const areLinked = ({ leaf, intermediate, root }: Links): boolean =>
  isIssuedBy(root, root) &&
  isIssuedBy(intermediate, root) &&
  isIssuedBy(leaf, intermediate) &&
  isAuthority(root) &&
  isAuthority(intermediate) &&
  intermediate.authority.pathLength === 0 &&
  isEndEntity(leaf)
