import { mintSignedReport, type SignedReport } from './brand.js'
import { type Certificate, parseCertificate } from './certificate/parse-certificate.js'
import { readCertificates } from './certificate/read-certificates.js'
import { checkChipId, type MaskedChipId } from './chain/check-chip-id.js'
import { checkProduct, productOfReport } from './chain/check-product.js'
import { checkTcb } from './chain/check-tcb.js'
import { checkValidity, type LeafGrace, NO_GRACE } from './chain/check-validity.js'
import { selectLeaf } from './chain/select-leaf.js'
import { verifyChain, type VerifiedChain } from './chain/verify-chain.js'
import { verifyReportSignature } from './chain/verify-report-signature.js'
import { allHold, type Check, CheckLog } from './checks.js'
import { parseCrl, type RevocationList } from './crl/parse-crl.js'
import { verifyCrl } from './crl/verify-crl.js'
import { type Evidence, type Terms, toMilliseconds } from './evidence.js'
import type { ProductLine } from './product.js'
import { parseReport } from './report/parse-report.js'
import type { Report } from './report/report.js'
import { findAnchors } from './roots/find-anchors.js'
import { readExtraRoots } from './roots/read-extra-roots.js'

/** The checks that make evidence genuine, in the order in which the first failure gives the code. */
export const GENUINE_CHECKS = [
  'report_format',
  'certificate_format',
  'leaf_kind',
  'product',
  'root',
  'chain',
  'validity',
  'report_signature',
  'leaf_tcb',
  'leaf_chip_id',
  'revocation',
] as const

/** The name of a check that makes evidence genuine. */
export type GenuineCheckName = (typeof GENUINE_CHECKS)[number]

/** Where a policy may take evidence that would not count otherwise. */
export type Leniency = { readonly masked: MaskedChipId; readonly leafGrace: LeafGrace }

/** None. */
export const STRICT: Leniency = { masked: 'refuse', leafGrace: NO_GRACE }

/** What became of evidence. `signed` is there only where every check held. */
export type Examination = {
  readonly report: Report | null
  readonly product: ProductLine | null
  readonly checks: readonly Check<GenuineCheckName>[]
  readonly signed: SignedReport | null
}

type Stage = {
  readonly log: CheckLog<GenuineCheckName>
  readonly terms: Terms
  readonly nowMs: number
  readonly extraRoots: readonly Certificate[]
  readonly leniency: Leniency
}

type Proof = { readonly product: ProductLine; readonly chain: VerifiedChain }

type Outcome = Proof & { readonly crl: RevocationList | null }

const parserOf = ({ memo }: Terms): typeof parseCertificate =>
  memo === undefined ? parseCertificate : (der) => memo.certificate(der)

// Nothing that a certificate says counts before its chain is proved: where a link fails, what follows is not run.
const prove = async (
  report: Report,
  certificates: readonly Certificate[],
  stage: Stage,
): Promise<Proof | undefined> => {
  const { log, terms, nowMs, extraRoots } = stage
  const leaf = log.attempt('leaf_kind', () => selectLeaf(report, certificates, nowMs))
  if (leaf === undefined) return undefined
  const product = log.attempt('product', () => checkProduct(report, leaf))
  if (product === undefined) return undefined
  const anchors = await log.attemptAsync('root', () => findAnchors(certificates, extraRoots, product))
  if (anchors === undefined) return undefined
  const chain = await log.attemptAsync('chain', () =>
    verifyChain(leaf, certificates, anchors, terms.memo ?? null),
  )
  return chain === undefined ? undefined : { product, chain }
}

const compare = async (
  report: Report,
  { product, chain }: Proof,
  { log, nowMs, leniency }: Stage,
): Promise<void> => {
  const { leaf } = chain
  log.judge('validity', (proved) => checkValidity(proved, nowMs, leniency.leafGrace), chain)
  await log.attemptAsync('report_signature', () => verifyReportSignature(report, chain))
  log.attempt('leaf_tcb', () => {
    checkTcb(report, leaf, product)
  })
  log.judge('leaf_chip_id', (of) => checkChipId(of, leaf, product, leniency.masked), report)
}

// What nothing verifies could say anything: a CRL that is there has to be good, whether or not somebody asks for one.
const checkRevocation = async (
  input: Uint8Array | undefined,
  { chain }: Proof,
  { log, nowMs }: Stage,
): Promise<RevocationList | null> => {
  if (input === undefined) {
    log.judge('revocation', () => 'any', null)
    return null
  }
  const crl = log.attempt('revocation', () => parseCrl(input))
  if (crl === undefined) return null
  await log.attemptAsync('revocation', () => verifyCrl(crl, chain, nowMs))
  return crl
}

const conclude = (report: Report | undefined, proof: Outcome | undefined, log: Stage['log']): Examination => {
  const checks = log.conclude(proof?.chain.trusted_for ?? 'nobody', ['report_format', 'certificate_format'])
  if (report === undefined) return { report: null, product: null, checks, signed: null }
  if (proof === undefined) return { report, product: productOfReport(report), checks, signed: null }
  const { product, chain, crl } = proof
  const simulated = chain.trusted_for !== 'amd'
  const facts = { report, product, signed_by: chain.leaf.leaf.kind, simulated, chain, crl }
  return { report, product, checks, signed: allHold(checks) ? mintSignedReport(facts) : null }
}

/**
 * Runs every check that makes evidence genuine, and mints a SignedReport where all of them hold. Bad evidence never
 * throws: what failed stands in the checks.
 * @throws AttestationError argument_invalid for `now` or a root
 */
export const examineEvidence = async (
  evidence: Evidence,
  terms: Terms,
  leniency: Leniency,
): Promise<Examination> => {
  const log = new CheckLog(GENUINE_CHECKS)
  const parse = parserOf(terms)
  const extraRoots = readExtraRoots(terms.roots ?? [], parse)
  const stage = { log, terms, nowMs: toMilliseconds(terms.now), extraRoots, leniency }
  const report = log.attempt('report_format', () => parseReport(evidence.report))
  const certificates = log.attempt('certificate_format', () => readCertificates(evidence.certificates, parse))
  if (report === undefined || certificates === undefined) return conclude(report, undefined, log)
  const proof = await prove(report, certificates, stage)
  if (proof === undefined) return conclude(report, undefined, log)
  await compare(report, proof, stage)
  const crl = await checkRevocation(evidence.crl, proof, stage)
  return conclude(report, { ...proof, crl }, log)
}
