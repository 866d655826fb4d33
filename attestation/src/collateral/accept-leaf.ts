import type { Certificate } from '../certificate/parse-certificate.js'
import { namesChip } from '../chain/check-chip-id.js'
import { leafHasTcb } from '../chain/leaf-tcb.js'
import { isLeaf, type LeafCertificate } from '../chain/select-leaf.js'
import { verifyChain } from '../chain/verify-chain.js'
import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { Authorities } from './accept-chain.js'
import type { CollateralWanted } from './collateral-wanted.js'

// AMD re-issues the certificate of a key under new dates, so one that has run out can be had again.
const isCurrent = ({ notBeforeMs, notAfterMs }: LeafCertificate, nowMs: number): boolean =>
  notBeforeMs <= nowMs && nowMs <= notAfterMs

const fits = ({ leaf }: LeafCertificate, { report, product }: CollateralWanted): boolean => {
  const { signer_info, chip_id, reported_tcb } = report
  if (leaf.kind !== signer_info.signing_key || !leafHasTcb(leaf, reported_tcb, product)) return false
  // Where the host masked the chip, its TCB is all that there is to tell.
  return leaf.kind === 'vlek' || isZero(chip_id) || (leaf.hwID !== null && namesChip(leaf.hwID, chip_id))
}

const isVouchedFor = async (
  leaf: LeafCertificate,
  { intermediate, anchor }: Authorities,
): Promise<boolean> => {
  try {
    await verifyChain(leaf, [intermediate, anchor.certificate], [anchor], null)
    return true
  } catch (error) {
    if (error instanceof AttestationError) return false
    throw error
  }
}

/**
 * The leaf that a report needs, if it is among certificates: of its kind, its chip and its TCB, of this time, and
 * issued by the authorities. A leaf that lies there and is another one is none.
 */
export const acceptLeaf = async (
  certificates: readonly Certificate[],
  wanted: CollateralWanted,
  authorities: Authorities,
): Promise<LeafCertificate | null> => {
  for (const leaf of certificates.filter(isLeaf)) {
    const candidate = fits(leaf, wanted) && isCurrent(leaf, wanted.nowMs)
    if (candidate && (await isVouchedFor(leaf, authorities))) return leaf
  }
  return null
}
