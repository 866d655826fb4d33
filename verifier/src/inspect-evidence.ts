import {
  AttestationError,
  type Check,
  type Evidence,
  type ExtraRoot,
  failureClass,
  type Instant,
  judgeGenuine,
  type ProductLine,
  type ReportView,
} from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import type { FailureCode } from './failure-code.js'

/** A report and certificates as somebody found them, and the time at which they are judged. */
export type EvidenceToInspect = {
  /** ATTESTATION_REPORT, 1184 bytes. */
  readonly report: Uint8Array
  /** In any order; each DER, or PEM with one or more. */
  readonly certificates: readonly Uint8Array[]
  /** The root's list of revoked certificates, DER. */
  readonly crl?: Uint8Array
  /** A Date, or milliseconds since 1970. */
  readonly now: Instant
  /** Roots beside AMD's, none where absent; what ends in one is SIMULATED. */
  readonly roots?: readonly ExtraRoot[]
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
export type Inspected = {
  readonly inspection: Inspection
  readonly exitCode: 0 | 2 | 5
  /** The chain ended in an extra root that the caller passed. */
  readonly simulated: boolean
}

const NAMES = { vcek: 'VCEK', vlek: 'VLEK' } as const

/**
 * Judges whether AMD stands for a report, and nothing else: a genuine report can still be of a debugged guest, of
 * other code, or of somebody else. Bad evidence never throws.
 * @throws AttestationError `argument_invalid` where `now` is no point in time, or a root is none
 * @see AMD 56860, ATTESTATION_REPORT
 */
export const inspectEvidence = async (evidence: EvidenceToInspect): Promise<Inspected> => {
  const { genuine, code, product, report_version, signed_by, simulated, ...judged } =
    await judgeGenuine(evidence)
  const inspection = {
    genuine,
    code,
    product,
    report_version,
    signed_by: signed_by === null ? null : NAMES[signed_by],
    report: judged.report,
    checks: judged.checks,
  }
  if (genuine) return { inspection, exitCode: 0, simulated }
  return { inspection, exitCode: code !== null && failureClass(code) === 'malformed' ? 5 : 2, simulated }
}

/**
 * Inspects what is read from somewhere. That it holds no report, or can't be read as one, is a finding as well.
 * @param read gives null where there is no report
 * @throws whatever `read` throws for usage
 */
export const inspectRead = async (
  read: () => Promise<Evidence | null>,
  terms: Pick<EvidenceToInspect, 'now' | 'roots'>,
): Promise<Inspected> => {
  try {
    const evidence = await read()
    return evidence === null
      ? nothingToInspect('collateral_missing', 2)
      : await inspectEvidence({ ...evidence, ...terms })
  } catch (error) {
    if (error instanceof ProtocolError) return nothingToInspect(error.code, 5)
    if (error instanceof AttestationError && failureClass(error.code) === 'malformed')
      return nothingToInspect(error.code, 5)
    throw error
  }
}

const nothingToInspect = (code: FailureCode, exitCode: 2 | 5): Inspected => ({
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
  simulated: false,
})
