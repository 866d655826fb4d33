import type { ExtraRoot } from '@parley/attestation'
import type { AuditLog } from '../audit/audit-log.js'
import type { Clock } from '../clock.js'
import type { PolicyBundle } from '../policy-bundle.js'
import type { Provider } from '../policy/providers.js'
import { RelayError } from '../relay-error.js'
import { failed } from './api/reply.js'
import { checkModelFile } from './check-model-file.js'
import { keyFilesOf } from './key-files.js'
import type { ProviderName } from './model-provider.js'
import type { ModelService, ModelServices } from './model-service.js'
import { openAttestedProvider } from './open-attested-provider.js'
import { openModelProvider, type ProviderToOpen } from './open-model-provider.js'
import { readKeyFile } from './read-key-file.js'
import type { Connect } from './transport/connect.js'
import { connectWithin } from './transport/connect-within.js'

/** The providers of a policy bundle, and what they are asked with. */
export type ModelsToOpen = {
  readonly bundle: Pick<PolicyBundle, 'providers' | 'data'>
  /** Key files by provider name. */
  readonly keys: Readonly<Record<string, string>>
  /** The way to other machines. */
  readonly connect: Connect
  /** Takes an entry of each host that is refused. */
  readonly audit: Pick<AuditLog, 'append'>
  /** Roots beside AMD's, for providers that attest. */
  readonly roots: readonly ExtraRoot[]
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

/** The providers of a relay, and the keys that it holds for them: in this memory and nowhere else. */
export type Models = {
  /** Those that can be asked now; what becomes of the keys shows in it. */
  readonly services: ModelServices
  /** The providers that take a key, in the bundle's order. */
  readonly keyed: readonly string[]
  /** Those of them whose key is held. */
  readonly held: () => readonly string[]
  /** Takes these keys, by provider, in place of all that are held. */
  readonly replaceKeys: (keys: ReadonlyMap<string, string>) => void
}

/**
 * Opens the providers of a bundle. One without its key can't be asked; of several of one kind the bundle's first that can
 * is the one that contracts mean.
 * @throws RelayError `config_malformed` on a key of no provider or one that takes none, or a model file that is not
 * the pinned one
 * @see protocol SPEC §19
 */
export async function openModels(asked: ModelsToOpen): Promise<Models> {
  const { providers } = asked.bundle
  let held = readKeys(asked)
  for (const provider of providers) await checkModelFile(provider)
  const opened = providers.map((provider) => ({
    provider,
    service: openService(provider, () => held.get(provider.name), asked),
  }))
  const services = new Map<ProviderName, ModelService>()
  const refill = (): void => {
    services.clear()
    for (const { provider, service } of opened)
      if (isAskable(provider, held) && !services.has(provider.kind)) services.set(provider.kind, service)
  }
  refill()
  const keyed = providers.filter(({ api_key }) => api_key === 'required').map(({ name }) => name)
  return {
    services,
    keyed,
    held: () => keyed.filter((name) => held.has(name)),
    replaceKeys: (keys) => {
      held = new Map(keys)
      refill()
    },
  }
}

const isAskable = ({ name, api_key }: Provider, held: ReadonlyMap<string, string>): boolean =>
  api_key === 'none' || held.has(name)

const readKeys = ({ bundle: { providers }, keys }: ModelsToOpen): ReadonlyMap<string, string> => {
  const files = keyFilesOf(providers, keys, 'provider_keys')
  const spare = providers.find(({ name, api_key }) => api_key === 'none' && files.has(name))
  if (spare !== undefined) throw new RelayError('config_malformed', `provider ${spare.name} takes no key`)
  return new Map([...files].map(([name, file]) => [name, readKeyFile(file, name)]))
}

/** The key is looked up for each call: one that was taken back is used no more, also by sessions that began with it. */
const openService = (
  provider: Provider,
  keyOf: () => string | undefined,
  asked: ModelsToOpen,
): ModelService => {
  const { bundle, clock, random, roots } = asked
  const parts = { provider, connect: connectWithin(bundle.data, asked.connect, asked.audit), clock, random }
  return {
    ...placeOf(provider),
    account: provider.kind === 'local' ? null : provider.account,
    fileHash: provider.model_file?.sha256 ?? null,
    attests: provider.attested !== null,
    ask: (request, signal) => {
      const key = keyOf() ?? null
      if (key === null && provider.api_key === 'required')
        return Promise.resolve({ reply: failed('unauthorized'), evidence: null })
      return askerOf({ ...parts, key }, roots)(request, signal)
    },
  }
}

/** Every server in this machine is the engine `local`; another provider is one by its own name. */
const placeOf = ({ kind, name, host }: Provider): Pick<ModelService, 'engine' | 'host'> =>
  kind === 'local' ? { engine: 'local', host: null } : { engine: name, host }

const askerOf = (parts: ProviderToOpen, roots: readonly ExtraRoot[]): ModelService['ask'] => {
  const { attested } = parts.provider
  if (attested !== null) return openAttestedProvider(parts, { expected: attested, roots })
  const opened = openModelProvider(parts)
  return async (request, signal) => ({ reply: await opened.complete(request, signal), evidence: null })
}
