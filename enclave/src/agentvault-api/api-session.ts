import type { AgentVaultReceiptV1, AgentVaultReceiptV2, JsonValue, SessionState } from '@parley/protocol'
import type { AgreedContract } from './agreed-contract.js'

/** AgentVault's names of why a session ended without an output. */
export type AbortReason =
  | 'TIMEOUT'
  | 'SCHEMA_VALIDATION'
  | 'PROVIDER_ERROR'
  | 'CONTRACT_MISMATCH'
  | 'POLICY_GATE'

/** What is kept of an accepted input: not the input. */
export type Accepted = {
  readonly input_hash: string
  readonly bytes: number
  /** Unix time in seconds. */
  readonly at: number
}

/** How a session ended. */
export type Ending = {
  readonly abort_reason: AbortReason | null
  readonly output: JsonValue
  readonly receipt: AgentVaultReceiptV1 | null
  readonly receipt_v2: AgentVaultReceiptV2
}

/** Unix times in seconds of an evaluation. */
export type Evaluated = { readonly startedAt: number; readonly endedAt: number }

/** Where a session stands. The inputs themselves are held only while they wait for each other. */
export type Phase =
  | {
      readonly kind: 'waiting'
      readonly deadlineMs: number
      /** Canonical: a graph of small objects is many times as large, and may wait for a day. */
      readonly contexts: readonly [Uint8Array | undefined, Uint8Array | undefined]
    }
  | {
      readonly kind: 'processing'
      readonly deadlineMs: number
      readonly startedAt: number
      readonly abort: AbortController
      /** Resolves when the session has ended; never rejects. */
      readonly done: Promise<void>
    }
  | {
      readonly kind: 'ended'
      readonly removeMs: number
      readonly ending: Ending
      readonly evaluated: Evaluated | null
    }

/** A session between two holders of tokens. */
export type ApiSession = {
  /** 64 hex digits. */
  readonly id: string
  readonly agreed: AgreedContract
  /** Unix time in seconds. */
  readonly createdAt: number
  /** Of the contract's first participant, and of its second. */
  readonly accepted: readonly [Accepted | null, Accepted | null]
  readonly phase: Phase
}

/** A session's state, and why it was aborted, if it was. */
export function stateOf({ phase, accepted }: ApiSession): {
  readonly state: SessionState
  readonly abort_reason: AbortReason | null
} {
  if (phase.kind === 'processing') return { state: 'PROCESSING', abort_reason: null }
  if (phase.kind === 'waiting')
    return { state: accepted.some((each) => each !== null) ? 'PARTIAL' : 'CREATED', abort_reason: null }
  const { abort_reason } = phase.ending
  return { state: abort_reason === null ? 'COMPLETED' : 'ABORTED', abort_reason }
}
