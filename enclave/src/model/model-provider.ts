import { PROVIDER_KINDS } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'

/** The kinds of language-model API that a relay can ask. */
export const PROVIDER_NAMES = PROVIDER_KINDS

/** One of `PROVIDER_NAMES`; `local` is an OpenAI-compatible server beside the relay. */
export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** Everything that a model is told about one session. */
export type ModelRequest = {
  readonly system: string
  readonly user: string
  readonly output_schema: JsonObject
  readonly model_id: string
  readonly max_completion_tokens: number
}

/** Why a provider gave no reply. A closed list, so that no provider's text can ride in it. */
export type ModelFailure =
  | 'unauthorized'
  | 'rate_limited'
  | 'server'
  | 'malformed'
  | 'deadline'
  | 'unreachable'
  | 'rejected'

/** How a call ended. `text` is an unchecked draft: only the guardian lets it leave. */
export type ModelReply =
  | { readonly kind: 'completed'; readonly text: string; readonly model_returned: string | null }
  | { readonly kind: 'refused' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'failed'; readonly cause: ModelFailure }

/** The one port between a session and a language model. Never rejects: every end is a reply. */
export type ModelProvider = {
  readonly name: ProviderName
  readonly complete: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>
}
