import type { JsonObject } from '@parley/protocol'
import type { Classification } from '../ingress/classification-label.js'

/** What can be done to the world, with the policy's name for it and the type of what it is done to. */
export const EFFECTS = {
  infer: { action: 'infer', resource: 'Provider' },
  release: { action: 'release', resource: 'Contract' },
  egress: { action: 'egress', resource: 'Host' },
  tool: { action: 'tool.invoke', resource: 'Tool' },
  secret: { action: 'secret.use', resource: 'Secret' },
  context_write: { action: 'context.write', resource: 'ContextKey' },
  persist: { action: 'persist', resource: 'Record' },
} as const

/** A kind of effect. The list is closed. */
export type Effect = keyof typeof EFFECTS

/**
 * What a reasoning component may say: that it wants something. It holds no identity, no approval, no label and no
 * result; those are the host's.
 */
export type Intent = {
  readonly effect: Effect
  /** The id of the resource; its type follows from the effect. */
  readonly resource: string
  readonly arguments: JsonObject
}

/** An intent and the circumstances that the host puts it under. */
export type EffectRequest = Intent & {
  readonly purpose: string
  /** The strictest label of what the effect carries. */
  readonly classification: Classification
  /** Who will see what the effect carries. */
  readonly recipients: readonly string[]
}
