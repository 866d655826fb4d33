import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AttestationError, type Collector } from '@parley/attestation'
import { chooseCollector } from '@parley/attestation/node'
import { type JsonValue, parseJson } from '@parley/protocol'
import { openAgentVaultApi } from './agentvault-api/agentvault-api.js'
import { parseApiConfig } from './agentvault-api/api-config.js'
import { openProviders } from './agentvault-api/open-providers.js'
import { systemClock } from './clock.js'
import type { Command } from './command-line.js'
import { parseRelayConfig, type RelayConfig } from './config.js'
import { jsonLog, type Log } from './log.js'
import { loadPolicyBundle, type PolicyBundle } from './policy-bundle.js'
import { type Relay, type RelayOptions, startRelay } from './relay.js'
import { RelayError } from './relay-error.js'
import { reportFailure } from './report-failure.js'

type Run = Extract<Command, { kind: 'run' }>
type Running = Pick<Relay, 'close'>

/**
 * Runs a relay until a signal stops it.
 * @throws RelayError with the code of what failed
 */
export async function runRelay(command: Run, environment: RelayOptions['environment']): Promise<void> {
  try {
    stopOnSignal(await started(command, environment))
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    reportFailure(error)
  }
}

async function started(
  { profile, config: path, agentvaultApi }: Run,
  environment: RelayOptions['environment'],
): Promise<Running> {
  const config = parseRelayConfig(readJson(path), profile, path)
  const bundle = loadPolicyBundle(config.policy_directory, profile, config.registry_directory)
  const log = jsonLog((line) => process.stdout.write(line))
  const options = {
    config,
    bundle,
    collector: profile === 'confidential' ? await realCollector(config, bundle, log) : null,
    environment,
    clock: systemClock(),
    random: (size: number) => new Uint8Array(randomBytes(size)),
    log,
  }
  return agentvaultApi === undefined ? startRelay(options) : startWithApi(options, agentvaultApi)
}

/** A relay and AgentVault's API under one policy bundle. */
async function startWithApi(
  options: RelayOptions & { readonly bundle: PolicyBundle },
  path: string,
): Promise<Running> {
  const { bundle, clock, random, log } = options
  const config = parseApiConfig(readJson(path), path)
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

function readJson(path: string): JsonValue {
  try {
    return parseJson(new Uint8Array(readFileSync(path)))
  } catch {
    throw new RelayError('config_malformed', 'the configuration cannot be read, or is not JSON')
  }
}

function stopOnSignal(relay: Running): void {
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    void relay.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
