import { randomBytes } from 'node:crypto'
import { AttestationError, type BootAttester, type Collector } from '@parley/attestation'
import { chooseCollector, openBootAttester } from '@parley/attestation/node'
import { openAgentVaultApi } from './agentvault-api/agentvault-api.js'
import { parseApiConfig } from './agentvault-api/api-config.js'
import { openProviders } from './agentvault-api/open-providers.js'
import { systemClock } from './clock.js'
import type { Command } from './command-line.js'
import { parseRelayConfig, type RelayConfig } from './config.js'
import { jsonLog, type Log } from './log.js'
import { loadPolicyBundle, type PolicyBundle } from './policy-bundle.js'
import { readJsonFile } from './read-json-file.js'
import { type Relay, type RelayOptions, startRelay } from './relay.js'
import { RelayError } from './relay-error.js'
import { type Reloadable, startReloadable } from './reload.js'
import { reportFailure } from './report-failure.js'

type Run = Extract<Command, { kind: 'run' }>
type Running = Pick<Relay, 'close'>

/**
 * Runs a relay until a signal stops it.
 * @throws RelayError with the code of what failed
 */
export async function runRelay(command: Run, environment: RelayOptions['environment']): Promise<void> {
  try {
    obeySignals(await started(command, environment))
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    reportFailure(error)
  }
}

async function started(
  { profile, config: path, agentvaultApi }: Run,
  environment: RelayOptions['environment'],
): Promise<Reloadable> {
  const config = parseRelayConfig(readJsonFile(path), profile, path)
  const load = (): PolicyBundle =>
    loadPolicyBundle(config.policy_directory, profile, config.registry_directory)
  const bundle = load()
  const log = jsonLog((line) => process.stdout.write(line))
  const options = {
    config,
    collector: profile === 'confidential' ? await realCollector(config, bundle, log) : null,
    attester: await realAttester(config),
    environment,
    clock: systemClock(),
    random: (size: number) => new Uint8Array(randomBytes(size)),
    log,
  }
  const start = (under: PolicyBundle): Promise<Running> => {
    const own = { ...options, bundle: under }
    return agentvaultApi === undefined ? startRelay(own) : startWithApi(own, agentvaultApi)
  }
  return startReloadable(bundle, { load, start, log })
}

/** A relay and AgentVault's API under one policy bundle. */
async function startWithApi(
  options: RelayOptions & { readonly bundle: PolicyBundle },
  path: string,
): Promise<Running> {
  const { bundle, clock, random, log } = options
  const config = parseApiConfig(readJsonFile(path), path)
  const providers = openProviders(bundle, config.provider_keys, { clock, random })
  const relay = await startRelay(options)
  try {
    const api = await openAgentVaultApi({ config, bundle, providers, clock, random })
    log({ event: 'agentvault_api_started', url: api.url, verifying_key_hex: api.verifyingKeyHex })
    return {
      close: async () => {
        await api.close()
        await relay.close()
      },
    }
  } catch (error) {
    await relay.close()
    throw error
  }
}

async function realCollector(
  { collateral_directory: directory }: RelayConfig,
  { profile }: PolicyBundle,
  log: Log,
): Promise<Collector> {
  const { by, collector } = await chooseCollector({
    derivesKeys: profile.sealing === 'snp-derived',
    ...(directory === null ? {} : { collateralDirectory: directory }),
  })
  log({ event: 'collector_chosen', by })
  return collector
}

async function realAttester({ tpm }: RelayConfig): Promise<BootAttester | null> {
  if (tpm === undefined) return null
  const { device, event_log: eventLog, key, issuers } = tpm
  return openBootAttester({ device, eventLog, key, issuers })
}

function obeySignals(relay: Reloadable): void {
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    void relay.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
  // Where no relay can be started any more, not even the one before, the process has no reason to go on.
  process.on('SIGHUP', () => {
    relay.reload().catch((error: unknown) => {
      reportFailure(error instanceof RelayError ? error : null)
      stop()
    })
  })
}
