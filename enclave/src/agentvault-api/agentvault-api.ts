import { toHex } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { PolicyBundle } from '../policy-bundle.js'
import { RelayError } from '../relay-error.js'
import { createAddressLimit } from './address-limit.js'
import { createAgentVaultAdmission } from './admit-agentvault.js'
import { createAgentVaultApp } from './agentvault-app.js'
import { loadAgents } from './agents.js'
import { createRequestAnswer } from './answer-request.js'
import type { ApiConfig } from './api-config.js'
import { openApiListener } from './api-listener.js'
import type { ApiServices } from './api-services.js'
import { sweepSessions } from './expire-sessions.js'
import { capabilities, health } from './health.js'
import { createInboxEvents } from './inbox-events.js'
import { createInviteTable } from './invite-table.js'
import { openArtefacts } from './open-artefacts.js'
import type { Providers } from './open-providers.js'
import { createSessionTable } from './session-table.js'
import { createSessionTokens } from './session-tokens.js'
import { sweepInvites } from './settle-invite.js'
import { loadSigningKey } from './signing-seed.js'

const SWEEP_MS = 1000

/** What AgentVault's API is opened with; time, randomness and providers are passed in. */
export type AgentVaultApiOptions = {
  readonly config: ApiConfig
  readonly bundle: PolicyBundle
  readonly providers: Providers
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
}

/** An API that runs. */
export type AgentVaultApi = {
  /** Where it listens. */
  readonly url: string
  /** The key of its receipts, in hex: another than the relay's own. */
  readonly verifyingKeyHex: string
  readonly close: () => Promise<void>
}

/**
 * Opens AgentVault's relay API beside a relay of the software lane. Whoever runs it sees every input: the confidential
 * profile has no such door.
 * @throws RelayError `profile_refused`, `config_malformed`, `policy_malformed`, `listen_failed`
 */
export async function openAgentVaultApi(options: AgentVaultApiOptions): Promise<AgentVaultApi> {
  const { config, bundle, providers, clock, random } = options
  if (bundle.profile.name !== 'software')
    throw new RelayError('profile_refused', 'the AgentVault API is of the software profile alone')
  const artefacts = openArtefacts(bundle, config.registry_directory)
  const agents = loadAgents(config.agents_file)
  const signingKey = loadSigningKey(config.signing_seed_file, random)
  const { publicKey } = signingKey
  const verifyingKeyHex = toHex(publicKey)
  const { contract_bytes: contractBytes, open_contract_bytes, sessions: most } = bundle.limits
  const services: ApiServices = {
    config,
    signingKey,
    agents,
    tokens: createSessionTokens(random),
    table: createSessionTable(bundle.limits),
    invites: createInviteTable(most),
    events: createInboxEvents(agents),
    admit: createAgentVaultAdmission({ config, providers, verifyingKeyHex, contractBytes, ...artefacts }),
    mostContractBytes: open_contract_bytes,
    clock,
    random,
  }
  const told = { config, publicKey, providers, ...artefacts }
  const app = createAgentVaultApp(services, { health: health(told), capabilities: capabilities(told) })
  const allowed = createAddressLimit(config.requests_per_minute, clock)
  const listener = await openApiListener(config.listen, createRequestAnswer(app, allowed))
  const sweeping = { on: true }
  void sweep(services, sweeping)
  return {
    url: listener.url,
    verifyingKeyHex,
    close: () => {
      sweeping.on = false
      services.events.endAll()
      return listener.close()
    },
  }
}

async function sweep(services: ApiServices, sweeping: { readonly on: boolean }): Promise<void> {
  while (sweeping.on) {
    sweepSessions(services)
    sweepInvites(services)
    await services.clock.sleepUntil(services.clock.nowMs() + SWEEP_MS)
  }
}
