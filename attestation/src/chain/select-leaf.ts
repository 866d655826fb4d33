import type { Certificate } from '../certificate/parse-certificate.js'
import { AttestationError } from '../errors.js'
import type { Report } from '../report/report.js'
import type { SigningKey } from '../report/signer-info.js'
import { namesChip } from './check-chip-id.js'
import { leafHasTcb } from './leaf-tcb.js'
import { parseIntermediateName } from './names.js'

/** A certificate whose common name is that of a VCEK or a VLEK. */
export type LeafCertificate = Certificate & { readonly leaf: NonNullable<Certificate['leaf']> }

/** Whether a certificate is a VCEK or a VLEK by its name. */
export const isLeaf = (certificate: Certificate): certificate is LeafCertificate => certificate.leaf !== null

const mismatch = (what: string): AttestationError => new AttestationError('leaf_kind_mismatch', what)

const checkKind = ({ leaf, issuer }: LeafCertificate, kind: SigningKey): void => {
  const signs = parseIntermediateName(issuer.commonName)?.signs ?? kind
  if (signs !== kind) throw mismatch(`a ${kind} is issued by an authority for ${signs}`)
  if ((leaf.hwID !== null) !== (kind === 'vcek'))
    throw mismatch(`hwID is missing in a vcek, or stands in a vlek`)
  if ((leaf.cspID !== null) !== (kind === 'vlek'))
    throw mismatch(`cspID is missing in a vlek, or stands in a vcek`)
}

const isOfChip = ({ leaf }: LeafCertificate, report: Report): boolean =>
  leaf.hwID !== null && namesChip(leaf.hwID, report.chip_id)

const isOfTcb = ({ leaf, issuer }: LeafCertificate, report: Report): boolean => {
  const product = parseIntermediateName(issuer.commonName)?.product
  return product !== undefined && leafHasTcb(leaf, report.reported_tcb, product)
}

const prefer = <T>(candidates: readonly T[], wish: (candidate: T) => boolean): readonly T[] => {
  const preferred = candidates.filter(wish)
  return preferred.length > 0 ? preferred : candidates
}

// AMD re-issues a VCEK for the same chip and TCB under new dates, and a folder may hold those of older TCBs too.
const bestOf = (
  leaves: readonly LeafCertificate[],
  report: Report,
  nowMs: number,
): LeafCertificate | undefined => {
  const ofChip = prefer(leaves, (leaf) => isOfChip(leaf, report))
  const ofTcb = prefer(ofChip, (leaf) => isOfTcb(leaf, report))
  return prefer(ofTcb, ({ notBeforeMs, notAfterMs }) => notBeforeMs <= nowMs && nowMs <= notAfterMs)[0]
}

/**
 * The leaf that a report's signature is to be checked with. Its kind is what SIGNER_INFO says, never what happens
 * to lie there: common name, issuer and extensions must all agree with it.
 * @throws AttestationError signing_key_unsupported, collateral_missing, leaf_kind_mismatch
 */
export const selectLeaf = (
  report: Report,
  certificates: readonly Certificate[],
  nowMs: number,
): LeafCertificate => {
  const kind = report.signer_info.signing_key
  if (kind === null)
    throw new AttestationError('signing_key_unsupported', 'SIGNER_INFO names neither VCEK nor VLEK')
  const leaves = certificates.filter(isLeaf)
  const best = bestOf(
    leaves.filter(({ leaf }) => leaf.kind === kind),
    report,
    nowMs,
  )
  if (best !== undefined) {
    checkKind(best, kind)
    return best
  }
  if (leaves.length > 0) throw mismatch(`the report is signed by a ${kind}, and there is none`)
  throw new AttestationError('collateral_missing', `there is no ${kind}`)
}
