export type { ReportExpectations } from './agentvault/appraise-report.js'
export type { Artefacts } from './agentvault/check-artefacts.js'
export type { ArtefactName } from './agentvault/named-hashes.js'
export { type AgentVaultToVerify, verifyAgentVaultReceipt } from './agentvault/verify-agentvault-receipt.js'
export {
  type OfferAppraisal,
  appraiseOffer,
  type AppraisedOffer,
  type OfferToAppraise,
} from './appraise-offer.js'
export * from './audit/index.js'
export {
  appraiseRelay,
  type AttestedKeyset,
  type RelayAppraisal,
  type RelayToAppraise,
} from './appraise-relay.js'
export type { CheckName, ExitClass, Procedure, Trusted } from './check-table.js'
export type { FailureCode, MismatchCode, NotRunCode } from './failure-code.js'
export {
  type EvidenceToInspect,
  type Inspected,
  type Inspection,
  inspectEvidence,
} from './inspect-evidence.js'
export { parseVerifierPolicy, type RelayExpectations, type VerifierPolicy, type Waiver } from './policy.js'
export { parseReceiptKey } from './receipt-key.js'
export type { ReferenceValue } from './reference-value.js'
export type { AssuranceLevel, Check, Verdict } from './verdict.js'
export { verdictText } from './verdict-text.js'
export { type BundleToVerify, verifyBundle } from './verify-bundle.js'
export { type ReceiptFile, verifyReceiptFile } from './verify-receipt.js'
