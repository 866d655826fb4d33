import type { Clock } from '../clock.js'
import type { Provider } from '../policy/providers.js'
import { RelayError } from '../relay-error.js'
import { anthropicApi } from './api/anthropic-api.js'
import { geminiApi } from './api/gemini-api.js'
import { localApi } from './api/local-api.js'
import { openAiApi } from './api/openai-api.js'
import type { ProviderApi } from './api/provider-api.js'
import { openProvider } from './ask-provider.js'
import type { ModelProvider } from './model-provider.js'
import { type Connect, connectDirectly } from './transport/connect.js'
import type { Send } from './transport/exchange.js'
import type { Endpoint } from './transport/open-channel.js'
import { sendOver } from './transport/send-over.js'

/** How long a connection to a provider may take, with TLS. */
const CONNECT_MS = 5000

/** A provider of the policy bundle and what it is asked with. */
export type ProviderToOpen = {
  readonly provider: Provider
  /** Null where the provider takes none. */
  readonly key: string | null
  /** The way to other machines. */
  readonly connect: Connect
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

/**
 * Opens a provider of the policy bundle: host, port, roots and kind come from there and from nowhere else.
 * @throws RelayError `config_malformed` where a key is missing, or given to a provider that takes none; on a provider
 * that attests, which is not asked without its evidence
 * @see protocol SPEC §19
 */
export const openModelProvider = (parts: ProviderToOpen): ModelProvider => {
  const { provider, clock, random } = parts
  if (provider.attested !== null)
    throw new RelayError('config_malformed', `provider ${provider.name} is to be asked for evidence first`)
  return openProvider({ name: provider.kind, api: apiOf(parts), send: sendTo(parts), clock, random })
}

/** The way to a provider: one connection a request. */
export const sendTo = ({ provider, connect, clock }: ProviderToOpen): Send =>
  sendOver({
    endpoint: endpointOf(provider),
    // A server in this machine is not reached through another one.
    connect: provider.kind === 'local' ? connectDirectly : connect,
    clock,
    connectMs: CONNECT_MS,
  })

const endpointOf = ({ host, port, ...provider }: Provider): Endpoint => ({
  host,
  port,
  protection: protectionOf(provider),
})

const protectionOf = ({ kind, roots }: Pick<Provider, 'kind' | 'roots'>): Endpoint['protection'] => {
  if (kind === 'local') return { kind: 'loopback' }
  // The policy bundle has roots for everybody but those to whose attested key all is sealed.
  return roots.length === 0 ? { kind: 'sealed' } : { kind: 'tls', roots }
}

/** How a provider is spoken to. @throws RelayError `config_malformed` */
export const apiOf = ({ provider: { name, kind, api_key }, key }: ProviderToOpen): ProviderApi => {
  if ((key === null) !== (api_key === 'none')) throw keyRefused(name, key)
  return kind === 'local' ? localApi() : REMOTE[kind](key)
}

const REMOTE = { anthropic: anthropicApi, openai: openAiApi, gemini: geminiApi } as const

const keyRefused = (name: string, key: string | null): RelayError =>
  new RelayError('config_malformed', `provider ${name} ${key === null ? 'has no key' : 'takes no key'}`)
