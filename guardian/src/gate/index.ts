export {
  APPROVAL_STATES,
  type ApprovalCode,
  type ApprovalParties,
  type ApprovalRecord,
  type ApprovalRequest,
  type ApprovalState,
  type ApprovalStep,
  approvalAt,
  approveRequest,
  denyRequest,
  MOST_APPROVAL_SECONDS,
  pendingApproval,
  useApproval,
} from './approval.js'
export type { ApprovalPort } from './approval-port.js'
export { type Capability, CapabilityRegistry, type EffectCall } from './capability-registry.js'
export { EFFECTS, type Effect, type EffectRequest, type Intent } from './effect.js'
export { EFFECT_STATES, type EffectState, RUN_STATES, type RunState } from './effect-state.js'
export { type EffectStatement, effectDigest } from './effect-statement.js'
export type { AttributeValue, EntityName, PolicyEntity } from './entity.js'
export { Gate } from './gate.js'
export type { GatePorts } from './gate-case.js'
export type { EffectFields, EvidencePort, GateRecord } from './gate-record.js'
export { type Identify, type Identity } from './identity.js'
export { parseEffectRequest, parseIntent } from './intent.js'
export { type LiveEvent, LiveEvents, type Replay } from './live-events.js'
export { type ApprovalTime, MemoryApprovals } from './memory-approvals.js'
export type { CancellationReason, DenialReason, FailureReason, Outcome, Reason } from './outcome.js'
export { parseApproval } from './parse-approval.js'
export {
  allOf,
  askForChain,
  type Decision,
  type Policy,
  type PolicyAnswer,
  POLICY_FAILED,
  type PolicyQuestion,
  strictestAnswer,
} from './policy.js'
export { createPolicySlot, type PolicySlot } from './policy-slot.js'
export { Run, type RunPorts } from './run.js'
export { SecretHandle } from './secret-handle.js'
export { SecretVault } from './secret-vault.js'
export { serverSentEvent } from './server-sent-event.js'
