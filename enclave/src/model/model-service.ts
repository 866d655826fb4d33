import type { Evidence } from '@parley/protocol'
import type { ModelReply, ModelRequest, ProviderName } from './model-provider.js'

/** What a call came to, and the evidence that the prompt was sealed to; null where it was sealed to none. */
export type Asked = { readonly reply: ModelReply; readonly evidence: Evidence | null }

/** A model provider as sessions see it: whom they ask, and what offer and receipt say of it. */
export type ModelService = {
  /** Its name in `engines.json`. */
  readonly engine: string
  /** The host that inputs go to; null where they stay in this machine. */
  readonly host: string | null
  /** Null for `local`, which is nobody's account. */
  readonly account: string | null
  /** Lower-case hex SHA-256 of a local model's file, as the policy bundle pins it; null for all others. */
  readonly fileHash: string | null
  /** Whether it is asked only with evidence of its own. */
  readonly attests: boolean
  /** Never rejects. */
  readonly ask: (request: ModelRequest, signal: AbortSignal) => Promise<Asked>
}

/** The providers that this relay can ask, by the name that model profiles have for them. */
export type ModelServices = ReadonlyMap<ProviderName, ModelService>
