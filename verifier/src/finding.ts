import { AttestationError, failureClass } from '@parley/attestation'
import { ProtocolError } from '@parley/protocol'
import type { CheckName } from './check-table.js'
import type { FailureCode, NotRunCode } from './failure-code.js'

/** What one check came to. */
export type Finding =
  | { readonly name: CheckName; readonly result: 'passed'; readonly detail?: string }
  | {
      readonly name: CheckName
      readonly result: 'failed'
      readonly code: FailureCode
      readonly detail?: string
    }
  | { readonly name: CheckName; readonly result: 'not_run'; readonly code: NotRunCode }

/** The check holds. */
export const passed = (name: CheckName): Finding => ({ name, result: 'passed' })

/** The check does not hold. */
export const failed = (name: CheckName, code: FailureCode, detail?: string): Finding =>
  detail === undefined ? { name, result: 'failed', code } : { name, result: 'failed', code, detail }

/** There was nothing to check, or no ground to check it on. */
export const notRun = (name: CheckName, code: NotRunCode): Finding => ({ name, result: 'not_run', code })

/** One statement of a check that has several; the first that does not hold names the failure. */
export type Statement = { readonly holds: boolean; readonly code: FailureCode; readonly what: string }

/** Says that two wire values are the same. */
export const same = (
  left: string | number | boolean | null,
  right: string | number | boolean | null,
  code: FailureCode,
  what: string,
): Statement => ({ holds: left === right, code, what })

/** The finding of a check that consists of statements. */
export const stated = (name: CheckName, statements: readonly Statement[]): Finding => {
  const broken = statements.find(({ holds }) => !holds)
  return broken === undefined ? passed(name) : failed(name, broken.code, broken.what)
}

/** One finding of several: the first failure, else the first that was not run, else passed. */
export const asOne = (name: CheckName, findings: readonly Finding[]): Finding => {
  const worst =
    findings.find(({ result }) => result === 'failed') ?? findings.find(({ result }) => result === 'not_run')
  if (worst === undefined) return findings.length === 0 ? notRun(name, 'prerequisite_failed') : passed(name)
  return worst.result === 'failed'
    ? failed(name, worst.code, worst.name === name ? worst.detail : worst.name)
    : { ...worst, name }
}

/**
 * The code and message of a refusal of our own classes.
 * @throws whatever else was thrown: a usage error is the caller's, anything else a defect here, not in the evidence
 */
export const refusalOf = (error: unknown): { readonly code: FailureCode; readonly message: string } => {
  if (error instanceof ProtocolError) return error
  if (error instanceof AttestationError && failureClass(error.code) !== 'usage') return error
  throw error
}

/** What a check derives, or as its finding the refusal that it met on the way. */
export const derived = <T>(name: CheckName, derive: () => T): T | Finding => {
  try {
    return derive()
  } catch (error) {
    const { code, message } = refusalOf(error)
    return failed(name, code, message)
  }
}

/** The finding of a check whose verifier throws where it does not hold. */
export const attempted = (name: CheckName, verify: () => void): Finding =>
  derived<Finding>(name, () => {
    verify()
    return passed(name)
  })
