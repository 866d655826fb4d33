import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { jsonLog, parseRelayConfig, startRelay, systemClock } from '@parley/enclave'
import { parseJson } from '@parley/protocol'
import { createSimulatedProcessor } from '../processor/index.js'
import { DEMO_MEASUREMENT } from './policy.js'

// The demo's enclave process: the real relay in its confidential profile, on a simulated secure processor. The root of
// that processor is made here and now, and written to a file for whoever wants to accept a simulation.

const [configPath, rootPath] = process.argv.slice(2)
if (configPath === undefined || rootPath === undefined)
  throw new Error('usage: confidential-relay CONFIG ROOT_FILE')

const processor = await createSimulatedProcessor({
  product: 'Milan',
  now: Date.now(),
  measurement: Buffer.from(DEMO_MEASUREMENT, 'hex'),
})
writeFileSync(rootPath, processor.rootCertificate)
const relay = await startRelay({
  config: parseRelayConfig(parseJson(readFileSync(configPath)), 'confidential', configPath),
  collector: processor.collector,
  environment: process.env,
  clock: systemClock(),
  random: (size) => new Uint8Array(randomBytes(size)),
  log: jsonLog((line) => process.stdout.write(line)),
})
process.once('SIGTERM', () => void relay.close())
