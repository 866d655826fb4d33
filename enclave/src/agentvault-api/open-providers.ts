import type { Clock } from '../clock.js'
import { keyFilesOf } from '../model/key-files.js'
import type { ModelProvider } from '../model/model-provider.js'
import { openModelProvider } from '../model/open-model-provider.js'
import { readKeyFile } from '../model/read-key-file.js'
import { connectDirectly } from '../model/transport/connect.js'
import { connectWithin } from '../model/transport/connect-within.js'
import type { PolicyBundle } from '../policy-bundle.js'

/** The providers that may be asked, by the names that model profiles have for them. */
export type Providers = ReadonlyMap<string, ModelProvider>

/**
 * Opens the policy bundle's providers that there is a key for. Hosts and roots are the bundle's, and no other host is
 * reached.
 * @param keys key files by provider name
 * @throws RelayError `config_malformed` on a key of no provider, or a file that is not one
 */
export function openProviders(
  { providers: rows, data }: Pick<PolicyBundle, 'providers' | 'data'>,
  keys: Readonly<Record<string, string>>,
  time: { readonly clock: Clock; readonly random: (size: number) => Uint8Array },
): Providers {
  const keyFiles = keyFilesOf(rows, keys, 'agentvault-api: provider_keys')
  const connect = connectWithin(data, connectDirectly)
  const opened = new Map<string, ModelProvider>()
  for (const provider of rows) {
    const file = keyFiles.get(provider.name)
    // Here nobody would be shown a local model's file or a provider's evidence; and one provider of a kind is the one
    // that contracts mean.
    if (file === undefined || isOfSessions(provider) || opened.has(provider.kind)) continue
    const key = readKeyFile(file, provider.name)
    opened.set(provider.kind, openModelProvider({ provider, key, connect, ...time }))
  }
  return opened
}

const isOfSessions = ({ kind, attested }: PolicyBundle['providers'][number]): boolean =>
  kind === 'local' || attested !== null
