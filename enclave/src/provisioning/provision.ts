import { MOST_PROVISION_BYTES, parseProvisionRequest } from '@parley/protocol'
import type { AuditLog } from '../audit/audit-log.js'
import type { RelayKeys } from '../keys/relay-keys.js'
import type { Models } from '../model/open-models.js'
import type { PolicyBundle } from '../policy-bundle.js'
import { type Answer, answer } from '../session/answer.js'
import type { Caller } from '../session/authenticate.js'
import { type Inbound, readJson } from '../session/inbound.js'
import { orRefuse, refuse, type Refused } from '../session/refuse.js'
import { createSerial } from '../session/serial.js'

/** Answers one authenticated request for provisioning. */
export type Provision = (inbound: Inbound) => Promise<Answer | Refused>

/** What secrets are taken by. */
export type ProvisioningDeps = {
  readonly keys: Pick<RelayKeys, 'keyset' | 'keysetDigest'>
  readonly bundle: Pick<PolicyBundle, 'authorities'>
  readonly models: Models
  readonly audit: Pick<AuditLog, 'append'>
}

// Twice 64 names of 64 characters.
const ANSWER_BYTES = 16_384

/**
 * `POST /v1/provisioning`: takes all of a relay's secrets from an authority of its policy bundle, in place of those that
 * it has. There is no such route where nobody may: in the software lane, or under a bundle without an authority.
 * @see protocol SPEC §29
 */
export function openProvisioning(deps: ProvisioningDeps): Provision | undefined {
  const { keys, bundle } = deps
  if (keys.keyset.lane === 'software' || bundle.authorities.length === 0) return undefined
  const serial = createSerial()
  let latest = -1
  return async (inbound) => {
    const { caller } = inbound
    if (!bundle.authorities.includes(caller.did)) return refuse('role_refused')
    const read = readKeys(deps, inbound)
    if ('refused' in read) return read
    return serial(async () => {
      // The host may hold a request back and deliver it after a later one: it must not bring an old key back.
      if (caller.seq <= latest) return refuse('sequence_replayed')
      await take(deps, caller, read)
      latest = caller.seq
      return saying(deps)
    })
  }
}

type Keys = { readonly named: ReadonlyMap<string, string> }

const readKeys = ({ keys, models }: ProvisioningDeps, { request }: Inbound): Keys | Refused => {
  if (request.content.length > MOST_PROVISION_BYTES) return refuse('too_large')
  const json = readJson(request)
  if ('refused' in json) return json
  // No detail of the parser's: where name and key were mixed up, the name is the secret.
  const body = orRefuse(
    'request_malformed',
    () => parseProvisionRequest(json.json),
    () => 'provision request',
  )
  if ('refused' in body) return body
  if (body.keyset_digest !== keys.keysetDigest) return refuse('request_malformed', 'keyset_digest')
  const named = new Map(Object.entries(body.provider_keys))
  for (const name of named.keys())
    if (!models.keyed.includes(name)) return refuse('request_malformed', 'provider_keys: no such provider')
  return { named }
}

/** On the log first: no key counts that it does not tell of. */
const take = async ({ audit, models }: ProvisioningDeps, { did }: Caller, { named }: Keys): Promise<void> => {
  await audit.append({ event: 'relay.provisioned', fields: { authority: did, held: named.size } })
  models.replaceKeys(named)
}

const saying = ({ models }: ProvisioningDeps): Answer =>
  answer({ held: [...models.held()], missing: [...missingSecrets(models)] }, ANSWER_BYTES)

/** The providers that can't be asked, for want of a key. */
export const missingSecrets = (models: Pick<Models, 'keyed' | 'held'>): readonly string[] => {
  const held = models.held()
  return models.keyed.filter((name) => !held.includes(name))
}
