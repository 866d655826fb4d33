import type { Terms } from '@parley/attestation'
import { receiptCore, receiptLeaf } from '@parley/protocol'
import type { CheckName } from '../check-table.js'
import { asOne, type Finding, notRun } from '../finding.js'
import type { VerifierPolicy } from '../policy.js'
import { apart, appraiseBinding } from './appraise-binding.js'
import type { ReadBundle } from './read-bundle.js'

/** What became of the later report over a receipt. */
export type HardwarePathCheck = { readonly findings: readonly Finding[]; readonly simulated: boolean }

const NAMES = ['hardware_path', 'hardware_path_expected'] as const satisfies readonly CheckName[]

/** Step 10 of SPEC §16: the same as for the keyset, with the receipt as leaf. */
export const checkHardwarePath = async (
  { bundle, relay }: ReadBundle,
  policy: VerifierPolicy,
  terms: Terms,
): Promise<HardwarePathCheck> => {
  const { status, binding } = bundle.hardware_path
  if (status === 'pending')
    return { findings: NAMES.map((name) => notRun(name, 'hardware_path_pending')), simulated: false }
  const leaf = receiptLeaf(receiptCore(bundle.receipt))
  const { findings, simulated } = await appraiseBinding({ binding, leaf, relay, policy, terms })
  const { proven, expected } = apart(findings)
  return {
    findings: [asOne('hardware_path', proven), asOne('hardware_path_expected', expected)],
    simulated,
  }
}
