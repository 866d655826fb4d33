import type { JsonObject, JsonValue } from '@parley/protocol'
import type { ModelReply, ModelRequest } from '../model-provider.js'

/** A request in the words of one API. */
export type ApiCall = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** How one API is spoken. Pure. */
export type ProviderApi = {
  readonly call: (request: ModelRequest) => ApiCall
  /** What a JSON answer with status 200 says. Anything that is not understood is `malformed`. */
  readonly reply: (answer: JsonValue) => ModelReply
}
