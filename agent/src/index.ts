export * from './a2a/index.js'
export type { Io } from './cli/io.js'
export { run } from './cli/run.js'
export { AgentError, type AgentErrorCode } from './agent-error.js'
export {
  type AttestedRelay,
  attestRelay,
  checkRelay,
  type RelayCheck,
  type RelayToCheck,
} from './attest-relay.js'
export { askErasure } from './erasure/ask-erasure.js'
export type { ResultWish } from './await-result.js'
export type { Budget } from './begin-session.js'
export { bundleBytes, saveBundle } from './save-bundle.js'
export { type Clock, systemClock } from './clock.js'
export type { Proposal } from './create-session.js'
export { exchange } from './exchange.js'
export {
  createIdentity,
  generateIdentity,
  type Identity,
  identityFromSeed,
  loadIdentity,
} from './identity.js'
export type { News } from './inbox/read-inbox.js'
export { type Invitation, parseInvitation } from './invitation.js'
export { LedgerWallet } from './ledger-wallet.js'
export {
  type EventListener,
  type EventListenerOptions,
  openEventListener,
} from './live-events/open-event-listener.js'
export { type Begin, Participant } from './participant.js'
export { type ParticipantState, stateInFolder, stateInMemory } from './participant-state.js'
export { provisionRelay } from './provisioning/provision-relay.js'
export { RelayRefusal } from './relay-refusal.js'
export { type Author, type InnerRequest, type SealedRequest, sealRequest } from './seal-request.js'
export type { Session } from './session.js'
export { SessionFile } from './session-file.js'
export type { SessionRecord } from './session-record.js'
export type { Trust } from './trust.js'
