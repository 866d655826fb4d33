export { type A2aEvent, loggedId } from './a2a-event.js'
export { createTaskIngress, type TaskAdmission, type TaskIngress } from './admit-task.js'
export type { AdmittedTask } from './admitted-task.js'
export { attach, type Attachment, type FileToAttach } from './attachment.js'
export {
  type AttachmentCode,
  checkAttachments,
  isAttachmentName,
  MOST_ATTACHMENT_BYTES,
  MOST_ATTACHMENTS,
  type OpenedAttachment,
} from './check-attachments.js'
export {
  type CheckedResponse,
  checkResponse,
  MOST_RESPONSE_BYTES,
  type ResponseReason,
  type ResponseToCheck,
} from './check-response.js'
export {
  type Classification,
  classificationOf,
  CLASSIFICATIONS,
  isWithin,
  strictestOf,
} from './classification-label.js'
export { type ConnectionRights, rightsOf } from './connection-rights.js'
export { type FilteredResult, filterResult } from './filter-result.js'
export { type FramedTask, frameTask, type TaskToFrame } from './frame-task.js'
export {
  type Checked,
  INGRESS_STEPS,
  IngressLine,
  type IngressStep,
  type LineOutcome,
} from './ingress-line.js'
export type { IngressPorts } from './ingress-ports.js'
export { type MacKey, macKey, macKeyOfHex } from './mac-key.js'
export { isOriginId } from './member-formats.js'
export { type Origin, parseOrigin } from './origin.js'
export type { OriginReason, RejectionReason } from './rejection-reason.js'
export {
  NONCE_LIFE_S,
  type NonceRecord,
  type NonceTaken,
  type ReplayLimits,
  ReplayTable,
} from './replay-table.js'
export {
  issueRejection,
  type Receiver,
  type ResponseEnvelope,
  signAnswer,
  type TaskAnswer,
} from './response-envelope.js'
export { type InjectionCode, MOST_INSTRUCTION_BYTES, sanitiseInstruction } from './sanitise-instruction.js'
export {
  MOST_TASK_BYTES,
  readTask,
  signTask,
  type TaskEnvelope,
  type TaskKeys,
  type UnsignedTask,
} from './task-envelope.js'
export { TokenBuckets } from './token-buckets.js'
export { MOST_FREE_TEXT, parseWorkerOutput } from './worker-output.js'
