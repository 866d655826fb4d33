export {
  AUDIT_GENESIS,
  type AuditEntry,
  type AuditOpening,
  auditEntryHash,
  auditLeaf,
  logOrigin,
  parseAuditEntry,
} from './audit.js'
export {
  type Binding,
  type Hardware,
  type LeafPurpose,
  purposeLeaf,
  reportDataOf,
  signPossession,
  type TreeHead,
  verifyBinding,
} from './binding.js'
export { type Bundle, type HardwarePath, parseBundle } from './bundle.js'
export type { Capacity } from './capacity.js'
export { commitInput, commitOutput } from './commitment.js'
export { type Consent, parseConsent, signConsent, verifyConsent } from './consent.js'
export { type Contract, type ContractProgram, contractHash, parseContract } from './contract.js'
export { type Evidence, keysetLeaf, parseEvidence } from './evidence.js'
export type { Role } from './formats.js'
export { type Keyset, keysetDigest, type ProfileName, parseKeyset } from './keyset.js'
export {
  type LedgerClaim,
  type LedgerEntry,
  ledgerHead,
  MOST_LEDGER_SEQ,
  signLedgerClaim,
  signLedgerEntry,
  verifyLedgerClaim,
  verifyLedgerEntry,
} from './ledger.js'
export { type Offer, offerDigest, parseOffer, signOffer, verifyOffer } from './offer.js'
export { ABORT_CLASSES, type AbortClass, type Outcome } from './outcome.js'
export {
  parseReceipt,
  type Receipt,
  type ReceiptCore,
  receiptCore,
  receiptCoreHash,
  receiptLeaf,
  signReceipt,
  verifyReceipt,
} from './receipt.js'
export { REFUSALS, type Refusal, type RefusalCode, signRefusal, verifyRefusal } from './refusal.js'
export {
  type Accepted,
  type ConsentRequest,
  type Created,
  type CreateRequest,
  type InputRequest,
  type JoinRequest,
  type Offered,
  parseAccepted,
  parseCancelRequest,
  parseConsentRequest,
  parseCreateRequest,
  parseCreated,
  parseInputRequest,
  parseJoinRequest,
  parseOffered,
  parseResult,
  type Result,
  SESSION_STATES,
  type SessionState,
} from './session.js'
export { parseTranscript, type Transcript, transcriptHash } from './transcript.js'
