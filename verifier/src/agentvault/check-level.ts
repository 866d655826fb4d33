import type { AgentVaultReceiptV2 } from '@parley/protocol'
import { failed, type Finding, notRun, passed } from '../finding.js'
import type { ForeignReceipt } from './foreign-receipt.js'

/** Whether a receipt carries something for the assurance level that it claims. That something is judged elsewhere. */
export const checkLevel = (read: ForeignReceipt): Finding => {
  if (read.form === '1.0.0') return notRun('agentvault_level', 'not_named')
  const { assurance_level, provider_attestation: provider } = read.receipt
  const carried = {
    SELF_ASSERTED: true,
    // Nothing in a receipt could show an audit.
    OPERATOR_AUDITED: false,
    PROVIDER_ATTESTED: provider !== undefined,
    TEE_ATTESTED: isOfTee(read.receipt),
  }
  return carried[assurance_level]
    ? passed('agentvault_level')
    : failed('agentvault_level', 'assurance_overclaimed', assurance_level)
}

const isOfTee = ({ tee_attestation: tee, claims }: AgentVaultReceiptV2): boolean =>
  tee?.quote !== undefined &&
  tee.tee_type !== undefined &&
  tee.tee_type !== 'Simulated' &&
  claims.execution_lane !== 'standard'
