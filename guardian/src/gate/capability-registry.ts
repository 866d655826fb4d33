import { type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import type { Effect } from './effect.js'
import type { Identity } from './identity.js'

/** What a capability is given when it runs. */
export type EffectCall = {
  readonly effect_id: string
  readonly arguments: JsonObject
  readonly identity: Identity
  /** Aborted when the effect is cancelled; whatever is returned after that is dropped. */
  readonly signal: AbortSignal
  /** A declared credential of the identity's credential context. @throws ProtocolError `key_refused` */
  readonly credential: (name: string) => string
}

/** Something that the host can do. */
export type Capability = {
  readonly effect: Effect
  readonly resource: string
  /** The names of the credentials that it uses. */
  readonly credentials: readonly string[]
  /** Does it. What it returns is the result; what it throws is never shown. */
  readonly execute: (call: EffectCall) => Promise<JsonValue>
}

/** What this host can do. What is not in here does not happen, however it is asked for. */
export class CapabilityRegistry {
  readonly #known = new Map<string, Capability>()

  /** @throws ProtocolError `object_malformed` where the effect on that resource has a capability already */
  register(capability: Capability): void {
    const key = keyOf(capability.effect, capability.resource)
    if (this.#known.has(key)) throw new ProtocolError('object_malformed', 'capability: registered twice')
    this.#known.set(key, capability)
  }

  find(effect: Effect, resource: string): Capability | undefined {
    return this.#known.get(keyOf(effect, resource))
  }
}

// No effect's name holds a space.
const keyOf = (effect: Effect, resource: string): string => `${effect} ${resource}`
