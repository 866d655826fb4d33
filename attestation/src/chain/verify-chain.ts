import { crypto } from '#crypto'
import { distinctCertificates } from '../certificate/distinct-certificates.js'
import type { Certificate } from '../certificate/parse-certificate.js'
import type { VerifySignature } from '../crypto-port.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { Anchor } from '../roots/find-anchors.js'
import type { ChainMemo } from './chain-memo.js'
import { areLinked } from './check-links.js'
import type { LeafCertificate } from './select-leaf.js'

/** A leaf that a trusted root vouches for through one intermediate. */
export type VerifiedChain = {
  readonly leaf: LeafCertificate
  readonly intermediate: Certificate
  readonly root: Certificate
  readonly trusted_for: Anchor['trusted_for']
  /** Verifies what the leaf's key signed. */
  readonly verify: VerifySignature
}

type Candidate = Omit<VerifiedChain, 'verify'>

const keyOf = (certificate: Certificate): Promise<VerifySignature | null> =>
  certificate.publicKey.algorithm === 'p384'
    ? crypto.p384Verifier(certificate.publicKey.bytes)
    : crypto.rsaPssVerifier(certificate.publicKey.bytes)

const verifyAuthorities = async ({ root, intermediate }: Candidate): Promise<VerifySignature | null> => {
  const byRoot = await keyOf(root)
  if (byRoot === null || !(await byRoot(root.tbs, root.signature))) return null
  return (await byRoot(intermediate.tbs, intermediate.signature)) ? keyOf(intermediate) : null
}

const verifyLeaf = async (
  byIntermediate: VerifySignature | null,
  leaf: Certificate,
): Promise<VerifySignature | null> =>
  byIntermediate !== null && (await byIntermediate(leaf.tbs, leaf.signature)) ? keyOf(leaf) : null

const verifyFresh = async (chain: Candidate): Promise<VerifySignature | null> =>
  verifyLeaf(await verifyAuthorities(chain), chain.leaf)

const verifyRemembered = (chain: Candidate, memo: ChainMemo): Promise<VerifySignature | null> => {
  const { leaf, intermediate, root } = chain
  return memo.proved([leaf, intermediate, root], async () =>
    verifyLeaf(await memo.proved([intermediate, root], () => verifyAuthorities(chain)), leaf),
  )
}

const candidates = (
  leaf: LeafCertificate,
  certificates: readonly Certificate[],
  anchors: readonly Anchor[],
): Candidate[] => {
  const named = certificates.filter(({ subject }) => equalBytes(subject.der, leaf.issuer.der))
  const intermediates = distinctCertificates(named)
  if (intermediates.length === 0)
    throw new AttestationError('collateral_missing', `there is no ${leaf.issuer.commonName}`)
  return anchors
    .flatMap(({ certificate: root, trusted_for }) =>
      intermediates.map((intermediate) => ({ leaf, intermediate, root, trusted_for })),
    )
    .filter(areLinked)
}

/**
 * The chain from a leaf to a trusted root, each link verified from the root down. Where the evidence holds several
 * intermediates of one name (AMD has re-issued one), the one counts that signed the leaf.
 * @throws AttestationError collateral_missing, chain_broken, chain_signature_invalid
 */
export const verifyChain = async (
  leaf: LeafCertificate,
  certificates: readonly Certificate[],
  anchors: readonly Anchor[],
  memo: ChainMemo | null,
): Promise<VerifiedChain> => {
  const chains = candidates(leaf, certificates, anchors)
  if (chains.length === 0)
    throw new AttestationError('chain_broken', 'names, roles or keys of the chain do not fit')
  for (const chain of chains) {
    const verify = await (memo === null ? verifyFresh(chain) : verifyRemembered(chain, memo))
    if (verify !== null) return { ...chain, verify }
  }
  throw new AttestationError('chain_signature_invalid', 'a signature of the chain is not that of its issuer')
}
