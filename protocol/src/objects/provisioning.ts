import * as v from 'valibot'
import type { JsonValue } from '../json-value.js'
import { decode } from './decode.js'
import { digest } from './formats.js'
import { recordOf } from './record-of.js'

/** The most providers that one request may name. */
const MOST_PROVIDERS = 64

/** No request is longer, in octets of JCS: keys of 1,024 characters, each of which may need an escape. */
export const MOST_PROVISION_BYTES = 140_000

const providerName = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))
const providerKey = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,1024}$/))
const names = v.pipe(v.array(providerName), v.maxLength(MOST_PROVIDERS))

const providerKeys = v.pipe(
  recordOf(providerName, providerKey),
  v.check((keys) => Object.keys(keys).length <= MOST_PROVIDERS, '64 providers at most'),
)

const provisionRequest = v.strictObject({ keyset_digest: digest, provider_keys: providerKeys })
const provisioned = v.strictObject({ held: names, missing: names })

/** The keys of model providers by the names of the policy bundle. */
export type ProviderKeys = v.InferOutput<typeof providerKeys>
/** All secrets that a relay shall have: they take the place of those that it has (SPEC §29). */
export type ProvisionRequest = v.InferOutput<typeof provisionRequest>
/** The providers whose keys a relay holds, and those that it can't ask for want of one; both in the bundle's order. */
export type Provisioned = v.InferOutput<typeof provisioned>

/**
 * Reads keys by provider name, from a file or a request. The message names no member: where name and key are mixed up,
 * the name is the secret.
 * @throws ProtocolError object_malformed
 */
export const parseProviderKeys = (value: JsonValue): ProviderKeys =>
  decode(v.strictObject({ provider_keys: providerKeys }), { provider_keys: value }, 'provider keys')
    .provider_keys

/** Reads the body of `POST /v1/provisioning`. @throws ProtocolError object_malformed */
export const parseProvisionRequest = (value: JsonValue): ProvisionRequest =>
  decode(provisionRequest, value, 'provision request')

/** Reads the answer to it. @throws ProtocolError object_malformed */
export const parseProvisioned = (value: JsonValue): Provisioned => decode(provisioned, value, 'provisioned')
