import type { ModelProvider, ModelReply, ModelRequest } from '../../src/model/model-provider.js'

/** A double of a model provider: says what a test gives it, and keeps what it was asked. */
export type ScriptedProvider = ModelProvider & {
  readonly asked: ModelRequest[]
  readonly signals: AbortSignal[]
  /** The next replies, in order; a promise that never resolves is a provider that hangs. */
  readonly replies: (ModelReply | Promise<ModelReply>)[]
}

export function scriptedProvider(...replies: (ModelReply | Promise<ModelReply>)[]): ScriptedProvider {
  const asked: ModelRequest[] = []
  const signals: AbortSignal[] = []
  return {
    name: 'anthropic',
    asked,
    signals,
    replies,
    complete: (request, signal) => {
      asked.push(request)
      signals.push(signal)
      return Promise.resolve(replies.shift() ?? { kind: 'failed', cause: 'server' })
    },
  }
}

export const says = (value: unknown): ModelReply => ({
  kind: 'completed',
  text: JSON.stringify(value),
  model_returned: 'whatever-it-says',
})

export const NEVER = new Promise<ModelReply>(() => undefined)
