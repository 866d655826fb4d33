import {
  type Check,
  failureClass,
  type Instant,
  judgeGenuine,
  type ProductLine,
  type ReportView,
} from '@parley/attestation'
import type { FailureCode } from './failure-code.js'

/** A report and certificates as somebody found them, and the time at which they are judged. */
export type EvidenceToInspect = {
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
  /** In any order; each DER, or PEM with one or more. */
  readonly certificates: readonly Uint8Array[]
  /** A Date, or milliseconds since 1970. */
  readonly now: Instant
}

/** Whether evidence is genuine, and what it says; a policy has no part in it. */
export type Inspection = {
  readonly genuine: boolean
  /** The first failure, or null. */
  readonly code: FailureCode | null
  readonly product: ProductLine | null
  readonly report_version: number | null
  readonly signed_by: 'VCEK' | 'VLEK' | null
  readonly report: ReportView | null
  readonly checks: readonly Check[]
}

/** An inspection and the exit code of its class: genuine, not genuine, malformed. */
export type Inspected = { readonly inspection: Inspection; readonly exitCode: 0 | 2 | 5 }

const NAMES = { vcek: 'VCEK', vlek: 'VLEK' } as const

/**
 * Judges whether AMD stands for a report, and nothing else: a genuine report can still be of a debugged guest, of
 * other code, or of somebody else. AMD's roots alone count here. Bad evidence never throws.
 * @throws AttestationError `argument_invalid` where `now` is no point in time
 * @see AMD 56860, ATTESTATION_REPORT
 */
export const inspectEvidence = async ({
  report,
  certificates,
  now,
}: EvidenceToInspect): Promise<Inspected> => {
  const { genuine, code, product, report_version, signed_by, ...judged } = await judgeGenuine({
    report,
    certificates,
    now,
    roots: [],
  })
  const inspection = {
    genuine,
    code,
    product,
    report_version,
    signed_by: signed_by === null ? null : NAMES[signed_by],
    report: judged.report,
    checks: judged.checks,
  }
  if (genuine) return { inspection, exitCode: 0 }
  return { inspection, exitCode: code !== null && failureClass(code) === 'malformed' ? 5 : 2 }
}

/** The inspection of what holds no report that could be judged. */
export const nothingToInspect = (code: FailureCode, exitCode: 2 | 5): Inspected => ({
  inspection: {
    genuine: false,
    code,
    product: null,
    report_version: null,
    signed_by: null,
    report: null,
    checks: [],
  },
  exitCode,
})
