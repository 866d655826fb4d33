export { agentVaultContractHash, agentVaultPairId, NO_OUTPUT_HASH } from './content-hashes.js'
export {
  agentVaultDelta,
  agentVaultEntryHash,
  agentVaultLedgerHead,
  agentVaultStatusHash,
  type DeltaScope,
} from './entropy-ledger.js'
export { requireExactNumbers } from './formats.js'
export { agentVaultKeyFingerprint, agentVaultKeyId } from './key-names.js'
export {
  type AgentVaultReceiptV1,
  parseAgentVaultReceiptV1,
  signAgentVaultReceiptV1,
  type UnsignedAgentVaultReceiptV1,
  verifyAgentVaultReceiptV1,
} from './receipt-v1.js'
export {
  type AgentVaultReceiptV2,
  parseAgentVaultReceiptV2,
  signAgentVaultReceiptV2,
  type UnsignedAgentVaultReceiptV2,
  verifyAgentVaultReceiptV2,
} from './receipt-v2.js'
export { type TeeTranscript, teeTranscriptHash } from './tee-transcript.js'
