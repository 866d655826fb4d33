export { type Artefacts, evaluatorOf, NO_ARTEFACTS, parseArtefacts } from './artefacts.js'
export {
  AUDIT_GENESIS,
  type AuditEntry,
  type AuditEvent,
  type AuditOpening,
  auditEntryHash,
  auditLeaf,
  logOrigin,
  ownLogOrigin,
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
export {
  type BootEvidence,
  type BootRecord,
  parseBootEvidence,
  type QuotedReport,
  qualifyingDataOf,
} from './boot-evidence.js'
export { type Bundle, type HardwarePath, parseBundle } from './bundle.js'
export type { Capacity } from './capacity.js'
export { commitInput, commitOutput, type OpenedOutput } from './commitment.js'
export { type Consent, parseConsent, signConsent, verifyConsent } from './consent.js'
export { type Contract, type ContractProgram, contractHash, parseContract } from './contract.js'
export { type Evidence, keysetLeaf, parseEvidence } from './evidence.js'
export {
  DECLINE_REASONS,
  type DeclineReason,
  type DeclineRequest,
  type Inbox,
  INBOX_EVENTS,
  type InboxEvent,
  type InboxEventName,
  type Invite,
  type Invites,
  MOST_INBOX_EVENTS,
  MOST_LISTED,
  parseDeclineRequest,
  parseInbox,
  parseInboxEvent,
  parseInvites,
  parseSessionList,
  type SessionList,
  type SessionRow,
} from './inbox.js'
export { type Keyset, keysetDigest, type ProfileName, parseKeyset } from './keyset.js'
export {
  type LedgerClaim,
  type LedgerEntry,
  ledgerHead,
  MOST_LEDGER_SEQ,
  signLedgerClaim,
  signLedgerEntry,
  verifyEntrySignature,
  verifyLedgerClaim,
  verifyLedgerEntry,
} from './ledger.js'
export { type Offer, offerDigest, parseOffer, signOffer, verifyOffer } from './offer.js'
export { ABORT_CLASSES, type AbortClass, isModelOutcome, type Outcome, wasEvaluated } from './outcome.js'
export { type Erased, MOST_ERASED_BYTES, parseErased, parseErasureRequest } from './erasure.js'
export {
  MOST_PROVISION_BYTES,
  parseProviderKeys,
  parseProvisioned,
  parseProvisionRequest,
  type ProviderKeys,
  type Provisioned,
  type ProvisionRequest,
} from './provisioning.js'
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
export { recordOf } from './record-of.js'
export {
  parseReleaseManifest,
  type ReleaseManifest,
  signReleaseManifest,
  verifyReleaseManifest,
} from './release-manifest.js'
export {
  type ByRole,
  byRoleOf,
  FEWEST_PARTICIPANTS,
  MOST_PARTICIPANTS,
  type Role,
  ROLES,
  rolesOf,
  seatOfRole,
} from './role.js'
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
