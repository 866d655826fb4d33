import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AttestationError, type Collector } from '@parley/attestation'
import { configfsCollector } from '@parley/attestation/node'
import { type JsonValue, parseJson } from '@parley/protocol'
import { systemClock } from './clock.js'
import { type Command, parseCommandLine, USAGE } from './command-line.js'
import { parseRelayConfig, type RelayConfig } from './config.js'
import { checkEnvironment, checkNodeOptions } from './environment.js'
import { jsonLog } from './log.js'
import { type Relay, startRelay } from './relay.js'
import { RelayError } from './relay-error.js'

try {
  const command = parseCommandLine(process.argv.slice(2))
  if (command.kind === 'help') process.stdout.write(USAGE)
  else stopOnSignal(await run(command))
} catch (error) {
  const known = error instanceof RelayError || error instanceof AttestationError
  process.stderr.write(`parley-relay: ${known ? `${error.code}: ${error.message}` : 'failed'}\n`)
  process.exitCode = 1
}

async function run({ profile, config: path }: Extract<Command, { kind: 'run' }>): Promise<Relay> {
  if (profile === 'confidential') {
    // Before the hardware is asked; whoever starts a relay otherwise has the variables checked by the start.
    checkEnvironment(process.env)
    checkNodeOptions(process.execArgv)
  }
  const config = parseRelayConfig(readJson(path), profile, path)
  return startRelay({
    config,
    collector: profile === 'confidential' ? await realCollector(config) : null,
    environment: process.env,
    clock: systemClock(),
    random: (size) => new Uint8Array(randomBytes(size)),
    log: jsonLog((line) => process.stdout.write(line)),
  })
}

function realCollector({ collateral_directory: directory }: RelayConfig): Promise<Collector> {
  return configfsCollector(directory === null ? {} : { collateralDirectory: directory })
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
