import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AttestationError, type Collector } from '@parley/attestation'
import { chooseCollector } from '@parley/attestation/node'
import { type JsonValue, parseJson } from '@parley/protocol'
import { systemClock } from './clock.js'
import type { Command } from './command-line.js'
import { parseRelayConfig, type RelayConfig } from './config.js'
import { jsonLog, type Log } from './log.js'
import { type Relay, type RelayOptions, startRelay } from './relay.js'
import { RelayError } from './relay-error.js'
import { reportFailure } from './report-failure.js'

type Run = Extract<Command, { kind: 'run' }>

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
  { profile, config: path }: Run,
  environment: RelayOptions['environment'],
): Promise<Relay> {
  const config = parseRelayConfig(readJson(path), profile, path)
  const log = jsonLog((line) => process.stdout.write(line))
  return startRelay({
    config,
    collector: profile === 'confidential' ? await realCollector(config, log) : null,
    environment,
    clock: systemClock(),
    random: (size) => new Uint8Array(randomBytes(size)),
    log,
  })
}

async function realCollector({ collateral_directory: directory }: RelayConfig, log: Log): Promise<Collector> {
  const { by, collector } = await chooseCollector(
    directory === null ? {} : { collateralDirectory: directory },
  )
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

function stopOnSignal(relay: Relay): void {
  const stop = (): void => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    void relay.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
