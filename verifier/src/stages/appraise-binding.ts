import type { Terms } from '@parley/attestation'
import { type Binding, type Hardware, reportDataOf, type TreeHead, verifyBinding } from '@parley/protocol'
import type { CheckName } from '../check-table.js'
import { derived, failed, type Finding, notRun, passed } from '../finding.js'
import type { VerifierPolicy } from '../policy.js'
import { NOTHING } from '../verdict.js'
import { appraiseBootEvidence } from './appraise-boot-evidence.js'
import { appraiseHardware, type HardwareAppraisal } from './appraise-hardware.js'
import type { RelayKeys } from './read-bundle.js'

/** How a leaf hangs on a report, and what that must be. */
export type BindingToAppraise = {
  readonly binding: Binding
  /** RFC 6962 leaf hash, computed here. */
  readonly leaf: Uint8Array
  readonly relay: RelayKeys
  readonly policy: VerifierPolicy
  readonly terms: Terms
}

const OF_HARDWARE = ['hardware_genuine', 'report_data', 'hardware_expected', 'root_accepted'] as const

/** Step 2 of SPEC §16: leaf, path, possession, REPORT_DATA, report, chain, boot, policy. */
export const appraiseBinding = async (input: BindingToAppraise): Promise<HardwareAppraisal> => {
  const { binding, leaf, relay } = input
  const head = derived('evidence_binding', () => verifyBinding(relay.keyset.lane, binding, leaf, relay))
  if ('result' in head) return { ...NOTHING, checks: [], findings: [head] }
  const { hardware } = binding
  const appraisal = hardware === null ? withoutHardware(input) : await onHardware(input, head, hardware)
  return { ...appraisal, findings: [passed('evidence_binding'), ...appraisal.findings] }
}

const withoutHardware = ({ relay }: BindingToAppraise): HardwareAppraisal => ({
  ...NOTHING,
  checks: [],
  findings:
    relay.keyset.lane === 'software'
      ? OF_HARDWARE.map((name) => notRun(name, 'software_lane'))
      : [failed('hardware_genuine', 'collateral_missing', 'hardware')],
})

const onHardware = async (
  { relay, policy, terms }: BindingToAppraise,
  head: TreeHead,
  hardware: Hardware,
): Promise<HardwareAppraisal> => {
  if (relay.keyset.lane !== 'confidential')
    return { ...NOTHING, checks: [], findings: [failed('hardware_genuine', 'lane_mismatch', 'hardware')] }
  const reportData = reportDataOf('confidential', head)
  const report = await appraiseHardware({ hardware, reportData, policy, terms })
  return appraiseBootEvidence(report, { hardware, relay, policy, terms })
}

const EXPECTATIONS: readonly CheckName[] = ['hardware_expected', 'root_accepted']

/** The findings on a binding in two parts: what it proves, and whether that is what the policy expects. */
export const apart = (
  findings: readonly Finding[],
): { readonly proven: readonly Finding[]; readonly expected: readonly Finding[] } => ({
  proven: findings.filter(({ name }) => !EXPECTATIONS.includes(name)),
  expected: findings.filter(({ name }) => EXPECTATIONS.includes(name)),
})
