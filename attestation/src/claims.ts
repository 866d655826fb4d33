import { allHold, type Check, firstFailure, type Trustee } from './checks.js'
import type { AppraisalPolicy } from './policy/appraisal-policy.js'

/** One thing that an attester claims about itself, and whose word it rests on. */
export type Claim = { readonly status: 'passed' | 'failed' | 'not_run'; readonly root: Trustee }

/**
 * `launch` what the secure processor measured when it started the guest · `boot` what the firmware started · `app`
 * the program. A report proves `app` only where the policy says that its measurement covers it.
 */
export type Claims = { readonly launch: Claim; readonly boot: Claim; readonly app: Claim }

const NOT_RUN: Claim = { status: 'not_run', root: 'nobody' }

const launchOf = (checks: readonly Check[]): Claim => {
  const root = checks.find(({ trusted_for }) => trusted_for !== 'nobody')?.trusted_for ?? 'nobody'
  if (allHold(checks)) return { status: 'passed', root }
  // Where something was waived and nothing failed, nobody looked.
  return { status: firstFailure(checks) === null ? 'not_run' : 'failed', root }
}

/** The claims that a report bears out, given the checks of its appraisal. */
export const claimsOf = (checks: readonly Check[], covers: AppraisalPolicy['launch_covers']): Claims => {
  const launch = launchOf(checks)
  return { launch, boot: NOT_RUN, app: covers === 'app' ? launch : NOT_RUN }
}
