import { equalBytes } from '../equal-bytes.js'
import { demand } from '../errors.js'
import { VMPL_OF_HOST } from '../report/report.js'
import { reference } from './complete-policy.js'
import { meets } from './expectation.js'
import type { Rule } from './rule.js'

/** REPORT_DATA is the caller's: this is what makes a report fresh, and of the keys that it is shown for. */
export const reportDataRule: Rule = ({ signed, reportData }) => {
  demand(
    equalBytes(signed.report.report_data, reportData),
    'report_data_mismatch',
    'REPORT_DATA is another one',
  )
  return 'passed'
}

/** The guest asked for the report. The host can ask too, with REPORT_DATA of its own: no policy may take that. */
export const askedByGuestRule: Rule = ({ signed }) => {
  demand(signed.report.vmpl !== VMPL_OF_HOST, 'vmpl_refused', 'the host asked for the report, not the guest')
  return 'passed'
}

/** The product line is an expected one. */
export const productRule: Rule = ({ signed, policy }) => {
  demand(policy.products.includes(signed.product), 'product_refused', `the product line is ${signed.product}`)
  return 'passed'
}

/** The report is of a version whose fields somebody wants to rely on. */
export const reportVersionRule: Rule = ({ signed: { report }, policy: { report_versions: range } }) => {
  const within = range.minimum <= report.version && report.version <= range.maximum
  demand(within, 'report_version_refused', `the report is of version ${report.version}`)
  return 'passed'
}

/** The guest's own security version, which its owner counts, is at least as new as expected. */
export const guestSvnRule: Rule = ({ signed: { report }, policy }) => {
  const reached = report.guest_svn >= policy.guest_svn_minimum
  demand(reached, 'guest_svn_below_minimum', `GUEST_SVN is ${report.guest_svn}`)
  return 'passed'
}

/** The key that signed is of an expected kind. */
export const signingKeyRule: Rule = ({ signed, policy }) => {
  demand(
    policy.signing_keys.includes(signed.signed_by),
    'signing_key_refused',
    `a ${signed.signed_by} signed`,
  )
  return 'passed'
}

/** The launch measurement is an expected one. */
export const measurementRule: Rule = ({ signed, policy }) => {
  const expected = reference(policy.measurement, 'measurement')
  demand(meets(expected, signed.report.measurement), 'measurement_mismatch', 'MEASUREMENT is another one')
  return 'passed'
}

/** The report comes from an expected privilege level of the guest. */
export const vmplRule: Rule = ({ signed, policy }) => {
  const levels: readonly number[] = reference(policy.vmpl, 'vmpl')
  demand(levels.includes(signed.report.vmpl), 'vmpl_refused', `VMPL is ${signed.report.vmpl}`)
  return 'passed'
}
