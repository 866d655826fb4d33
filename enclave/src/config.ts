import { dirname, resolve } from 'node:path'
import { isDid, type JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { address, path, placedKeys, providerKeys, readConfig } from './config-members.js'
import type { Profile } from './policy-bundle.js'
import { RelayError } from './relay-error.js'

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const httpOrigin = v.pipe(v.string(), v.maxLength(2048), v.check(isHttpOrigin))

const tpm = v.strictObject({
  /** Such as /dev/tpmrm0. */
  device: path,
  /** Such as /sys/kernel/security/tpm0/binary_bios_measurements. */
  event_log: path,
  key: v.picklist(['rsa', 'ecc']),
  /** Certificates of the issuers of its certificate, without the root; PEM. */
  issuers: v.nullable(path),
})

const configFile = v.strictObject({
  listen: address,
  /** The host-proxy to register with; null: listen only. */
  proxy: v.nullable(httpOrigin),
  /** Where the host-proxy reaches this relay; null: at the address it listens on. */
  advertise_url: v.nullable(httpOrigin),
  store_directory: path,
  policy_directory: path,
  image_digest: v.nullable(digest),
  /** AMD's certificates (DER or PEM), for a host that hands over none; whether they fit, verifiers judge. */
  collateral_directory: v.optional(v.nullable(path), null),
  /** The TPM that attests the boot, where the policy bundle says that the launch ends at the firmware. */
  tpm: v.exactOptional(tpm),
  /** The registry whose root hash the policy bundle pins; else the one that comes with this build. */
  registry_directory: v.exactOptional(path),
  /** Whose data is erased as the relay starts; in the software profile only. */
  erase: v.exactOptional(
    v.pipe(v.array(v.pipe(v.string(), v.maxLength(128), v.check(isDid))), v.maxLength(64)),
  ),
  /** In the software profile only. */
  provider_keys: providerKeys,
  /** Digest of the keyset of an earlier boot: informational. */
  previous: v.optional(v.nullable(digest), null),
})

/** What a relay is told at start. The host writes it, so nothing in it weakens a check. */
export type RelayConfig = Readonly<v.InferOutput<typeof configFile>> & { readonly profile: Profile['name'] }

/**
 * Reads a configuration; members but the last five are stated, null where there is nothing to say.
 * @param base the file's own path, against whose directory relative directories are resolved
 * @throws RelayError `config_malformed`, naming the member
 */
export function parseRelayConfig(value: JsonValue, profile: Profile['name'], base: string): RelayConfig {
  const {
    store_directory,
    policy_directory,
    collateral_directory,
    registry_directory,
    provider_keys,
    tpm: boot,
    ...rest
  } = readConfig(configFile, value)
  // The host writes this file, and would own the keys that it names.
  if (profile === 'confidential' && Object.keys(provider_keys).length > 0)
    throw new RelayError('config_malformed', 'provider_keys: this profile takes no key from a file')
  // Which records go, its host sees: it would learn whose they were by asking.
  if (profile === 'confidential' && rest.erase !== undefined)
    throw new RelayError('config_malformed', 'erase: in this profile participants ask by themselves')
  const place = (directory: string): string => resolve(dirname(base), directory)
  return {
    ...rest,
    profile,
    store_directory: place(store_directory),
    policy_directory: place(policy_directory),
    collateral_directory: collateral_directory === null ? null : place(collateral_directory),
    provider_keys: placedKeys(provider_keys, place),
    ...(boot === undefined ? {} : { tpm: placedTpm(boot, place) }),
    ...(registry_directory === undefined ? {} : { registry_directory: place(registry_directory) }),
  }
}

const placedTpm = (
  { device, event_log, key, issuers }: v.InferOutput<typeof tpm>,
  place: (file: string) => string,
): v.InferOutput<typeof tpm> => ({
  device: place(device),
  event_log: place(event_log),
  key,
  issuers: issuers === null ? null : place(issuers),
})

/** An origin and nothing more: paths are of the protocol. */
function isHttpOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' && `${url.origin}/` === url.href
}
