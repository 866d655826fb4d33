import type { AuditFaultCode } from '@parley/guardian'
import { ProtocolError, type ProtocolErrorCode } from '@parley/protocol'

/** How a log, or what is held of it, can fail. */
export type AuditCheckCode = AuditFaultCode | ProtocolErrorCode | 'log_truncated' | 'log_differs' | 'fork'

/** How one statement came out. */
export type AuditCheck = {
  /** What it is about. */
  readonly of: string
  /** `leaves`: of a sealed log; that each entry names the one before, only its relay can check. */
  readonly check: 'chain' | 'leaves' | 'checkpoint' | 'inclusion' | 'consistency' | 'in_log' | 'one_log'
  /** Null where it holds. */
  readonly code: AuditCheckCode | null
  readonly detail: string | null
}

/** A statement that holds. */
export const heldCheck = (of: string, check: AuditCheck['check']): AuditCheck => ({
  of,
  check,
  code: null,
  detail: null,
})

/** One that does not. */
export const failedCheck = (
  of: string,
  check: AuditCheck['check'],
  code: AuditCheckCode,
  detail: string,
): AuditCheck => ({ of, check, code, detail })

/** The outcome of a check that throws where it does not hold. */
export const attemptedCheck = (of: string, check: AuditCheck['check'], run: () => void): AuditCheck => {
  try {
    run()
    return heldCheck(of, check)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return failedCheck(of, check, error.code, error.message)
  }
}

const MALFORMED: readonly string[] = [
  'note_malformed',
  'record_malformed',
  'encoding_malformed',
] satisfies readonly AuditCheckCode[]

/** Of several the most fundamental counts: malformed, not of this key, does not match. */
export const auditExitCode = (checks: readonly AuditCheck[]): 0 | 2 | 4 | 5 => {
  const codes = checks.flatMap(({ code }) => (code === null ? [] : [code]))
  if (codes.length === 0) return 0
  if (codes.some((code) => MALFORMED.includes(code))) return 5
  return codes.includes('signature_invalid') ? 2 : 4
}
