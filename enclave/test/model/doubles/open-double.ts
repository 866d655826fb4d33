import { randomBytes } from 'node:crypto'
import { systemClock } from '../../../src/clock.js'
import type { ModelProvider, ProviderName } from '../../../src/model/model-provider.js'
import { openModelProvider } from '../../../src/model/open-model-provider.js'
import { type Connect, connectDirectly } from '../../../src/model/transport/connect.js'
import type { Provider } from '../../../src/policy/providers.js'
import { anthropicDouble } from './anthropic-double.js'
import { type Answerer, type ApiServer, startApiServer } from './api-server.js'
import { geminiDouble } from './gemini-double.js'
import { llamaDouble } from './llama-double.js'
import { openAiDouble } from './openai-double.js'
import { makeTlsAuthority, type TlsAuthority } from './tls-authority.js'
import type { ApiDouble } from './turn.js'

export const HOST = 'api.model.test'
export const KEY = 'sk-test-0123456789'

export const DOUBLES: Readonly<Record<ProviderName, ApiDouble>> = {
  anthropic: anthropicDouble,
  openai: openAiDouble,
  gemini: geminiDouble,
  local: llamaDouble,
}

let made: Promise<TlsAuthority> | undefined

/** The authority of a test file. */
export const theAuthority = (): Promise<TlsAuthority> => (made ??= makeTlsAuthority())

/** Every host is this machine, and every port the one of the server. */
export const toLoopback =
  (port: number): Connect =>
  (_, signal) =>
    connectDirectly({ host: '127.0.0.1', port }, signal)

export const fresh = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

/** A provider of the policy bundle, as `providers.json` would name it. */
export const providerOf = (kind: ProviderName, roots: readonly string[], port = 443): Provider =>
  kind === 'local'
    ? {
        ...{ name: 'local', kind, host: '127.0.0.1', port, roots: [], account: 'none', api_key: 'none' },
        ...{ attested: null, model_file: { sha256: 'f1'.repeat(32), path: null } },
      }
    : {
        ...{ name: kind, kind, host: HOST, port, roots, account: 'acme', api_key: 'required' },
        ...{ attested: null, model_file: null },
      }

/** A server that speaks an API, over TLS but for `local`, and the provider that asks it. */
export const openDouble = async (
  kind: ProviderName,
  answer: Answerer,
): Promise<{ server: ApiServer; provider: ModelProvider }> => {
  const authority = await theAuthority()
  const identity = kind === 'local' ? undefined : await authority.issue(HOST)
  const server = await startApiServer(answer, identity)
  const provider = openModelProvider({
    provider: providerOf(kind, [authority.root], server.port),
    key: kind === 'local' ? null : KEY,
    connect: toLoopback(server.port),
    clock: systemClock(),
    random: fresh,
  })
  return { server, provider }
}
