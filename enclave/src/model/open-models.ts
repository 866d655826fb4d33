import type { ExtraRoot } from '@parley/attestation'
import type { Clock } from '../clock.js'
import type { PolicyBundle } from '../policy-bundle.js'
import type { Provider } from '../policy/providers.js'
import { checkModelFile } from './check-model-file.js'
import { keyFilesOf } from './key-files.js'
import type { ProviderName } from './model-provider.js'
import type { ModelService, ModelServices } from './model-service.js'
import { openAttestedProvider } from './open-attested-provider.js'
import { openModelProvider } from './open-model-provider.js'
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
  /** Roots beside AMD's, for providers that attest. */
  readonly roots: readonly ExtraRoot[]
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

/**
 * Opens the providers that this relay can ask. One without its key is none; of several of one kind the bundle's first is
 * the one that contracts mean.
 * @throws RelayError `config_malformed` on a key of no provider or one that takes none, or a model file that is not
 * the pinned one
 * @see protocol SPEC §19
 */
export async function openModels(asked: ModelsToOpen): Promise<ModelServices> {
  const { providers } = asked.bundle
  const keyFiles = keyFilesOf(providers, asked.keys, 'provider_keys')
  const services = new Map<ProviderName, ModelService>()
  for (const provider of providers) {
    const file = keyFiles.get(provider.name)
    if (file === undefined && provider.api_key === 'required') continue
    const key = file === undefined ? null : readKeyFile(file, provider.name)
    await checkModelFile(provider)
    const service = openService(provider, key, asked)
    if (!services.has(provider.kind)) services.set(provider.kind, service)
  }
  return services
}

const openService = (provider: Provider, key: string | null, asked: ModelsToOpen): ModelService => {
  const { bundle, clock, random, roots } = asked
  const parts = { provider, key, connect: connectWithin(bundle.data, asked.connect), clock, random }
  const said = {
    account: provider.kind === 'local' ? null : provider.account,
    fileHash: provider.model_file?.sha256 ?? null,
    attests: provider.attested !== null,
  }
  if (provider.attested !== null)
    return { ...said, ask: openAttestedProvider(parts, { expected: provider.attested, roots }) }
  const opened = openModelProvider(parts)
  return {
    ...said,
    ask: async (request, signal) => ({ reply: await opened.complete(request, signal), evidence: null }),
  }
}
