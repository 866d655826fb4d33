import { hash, type JsonObject } from '@parley/protocol'
import type { Classification } from '../ingress/classification-label.js'
import { EFFECTS, type Effect, type EffectRequest } from './effect.js'
import { type EntityName, nameOf } from './entity.js'
import type { Identity } from './identity.js'

/** Exactly what is asked, by whom, for what: what an approval binds. */
export type EffectStatement = {
  readonly version: 'parley-effect-v1'
  readonly effect_id: string
  readonly effect: Effect
  readonly resource: EntityName
  readonly arguments: JsonObject
  readonly purpose: string
  readonly classification: Classification
  readonly recipients: readonly string[]
  /** Null where nobody is proven; such an effect is denied. */
  readonly identity: {
    readonly owner: string
    readonly tenant: string
    readonly session: string
    readonly credential_context: string
    readonly principal: EntityName
    readonly delegation: readonly EntityName[]
  } | null
}

/** States a request of an identity. */
export const stateEffect = (
  effectId: string,
  { effect, resource, arguments: given, purpose, classification, recipients }: EffectRequest,
  identity: Identity | undefined,
): EffectStatement => ({
  version: 'parley-effect-v1',
  effect_id: effectId,
  effect,
  resource: { type: EFFECTS[effect].resource, id: resource },
  arguments: given,
  purpose,
  classification,
  recipients,
  identity:
    identity === undefined
      ? null
      : {
          owner: identity.owner,
          tenant: identity.tenant,
          session: identity.session,
          credential_context: identity.credential_context,
          principal: nameOf(identity.principal),
          delegation: identity.delegation.map(nameOf),
        },
})

/**
 * The digest of an effect: lower-case hex of 32 bytes. The effect's id is in it, so that the approval of one never fits
 * its twin.
 * @throws ProtocolError `json_malformed`, `json_too_deep`
 */
export const effectDigest = (statement: EffectStatement): string => hash(statement)
