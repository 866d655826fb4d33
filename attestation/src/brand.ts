import type { VerifiedChain } from './chain/verify-chain.js'
import type { RevocationList } from './crl/parse-crl.js'
import type { ProductLine } from './product.js'
import type { Report } from './report/report.js'
import type { SigningKey } from './report/signer-info.js'

declare const signedReport: unique symbol

/** What was proved about a report. */
export type ReportFacts = {
  readonly report: Report
  readonly product: ProductLine
  readonly signed_by: SigningKey
  /** Whether the chain ends at a root that the caller passed in, and not at AMD's. */
  readonly simulated: boolean
  readonly chain: VerifiedChain
  /** The root's list of revoked certificates, verified; null where the evidence has none. */
  readonly crl: RevocationList | null
}

/**
 * A report that the root named in it stands for: signature, chain, dates, TCB and chip agree. Only
 * `examineEvidence` makes one. Whether it is what somebody wants is for a policy to say.
 */
export type SignedReport = ReportFacts & { readonly [signedReport]: true }

/** Mints the type. Called in one place, after every check passed. */
export const mintSignedReport = (facts: ReportFacts): SignedReport => facts as SignedReport
