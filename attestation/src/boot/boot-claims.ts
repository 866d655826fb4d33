import { allHold, firstFailure } from '../checks.js'
import type { Claim, Claims } from '../claims.js'
import type { AppraisalPolicy } from '../policy/appraisal-policy.js'
import type { BootAppraisal } from './boot-appraisal.js'

const statusOf = ({ checks }: BootAppraisal): Claim['status'] => {
  if (allHold(checks)) return 'passed'
  return firstFailure(checks) === null ? 'not_run' : 'failed'
}

// No claim is better founded than the two that it stands on.
const appOn = (launch: Claim, boot: Claim): Claim => {
  const states = [launch.status, boot.status]
  if (states.includes('failed')) return { status: 'failed', root: boot.root }
  return { status: states.includes('not_run') ? 'not_run' : 'passed', root: boot.root }
}

/**
 * The claims of a machine that attests its boot by a TPM. `boot` rests on whoever certifies that TPM's key; so does
 * `app`, unless the launch measurement covers it.
 * @param claims those that the report alone bears out
 */
export const withBootClaims = (
  claims: Claims,
  covers: AppraisalPolicy['launch_covers'],
  appraisal: BootAppraisal,
): Claims => {
  const boot: Claim = { status: statusOf(appraisal), root: appraisal.root }
  return { ...claims, boot, app: covers === 'app' ? claims.app : appOn(claims.launch, boot) }
}
