import { dirname, resolve } from 'node:path'
import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { address, path, placedKeys, providerKeys, readConfig } from '../config-members.js'
import { PROVIDER_NAMES } from '../model/model-provider.js'

const DAY = 86_400
const integer = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

const apiConfig = v.strictObject({
  /** Plain HTTP: beyond loopback it belongs behind something that ends TLS. */
  listen: v.optional(address, { host: '127.0.0.1', port: 3100 }),
  /** Agents and their inbox tokens; null: nobody has an inbox. */
  agents_file: v.nullable(path),
  /** 32 octets in hex; made if it is not there. */
  signing_seed_file: path,
  /** Artefacts that contracts may name beside those that the policy bundle admits; null: those alone. */
  registry_directory: v.optional(v.nullable(path), null),
  provider_keys: providerKeys,
  /** The provider that `/health` names, where a contract leaves the choice open. */
  default_provider: v.optional(v.nullable(v.picklist(PROVIDER_NAMES)), null),
  operator_id: v.optional(v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,128}$/)), 'parley-relay'),
  /** Answers `/sessions/ID/metadata`, and names the model in `/health`. */
  dev: v.optional(v.boolean(), false),
  /** From creation to the second input. */
  session_ttl_secs: v.optional(integer(1, DAY), 600),
  /** From the second input to the result. */
  processing_ttl_secs: v.optional(integer(1, 3600), 300),
  invite_ttl_secs: v.optional(integer(1, 30 * DAY), 7 * DAY),
  max_completion_tokens: v.optional(integer(1, 1_000_000), 4096),
  /** From one address. */
  requests_per_minute: v.optional(integer(1, 1_000_000), 6000),
})

/** How the relay speaks AgentVault's API. */
export type ApiConfig = Readonly<v.InferOutput<typeof apiConfig>>

/**
 * Reads the file that `--agentvault-api` names.
 * @param base the file's own path, against whose directory relative paths are resolved
 * @throws RelayError `config_malformed`, naming the member
 */
export function parseApiConfig(value: JsonValue, base: string): ApiConfig {
  const read = readConfig(apiConfig, value, 'agentvault-api: ')
  const { agents_file, signing_seed_file, registry_directory, provider_keys, ...rest } = read
  const at = (file: string): string => resolve(dirname(base), file)
  return {
    ...rest,
    agents_file: agents_file === null ? null : at(agents_file),
    signing_seed_file: at(signing_seed_file),
    registry_directory: registry_directory === null ? null : at(registry_directory),
    provider_keys: placedKeys(provider_keys, at),
  }
}
