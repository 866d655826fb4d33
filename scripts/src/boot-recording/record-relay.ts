import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BootAttester } from '@parley/attestation'
import { parseRelayConfig, startRelay, systemClock } from '@parley/enclave'
import { isJsonObject, parseJson } from '@parley/protocol'
import { createSimulatedProcessor } from '../processor/index.js'

/** MEASUREMENT of the guest: nothing was measured, the simulated processor just says so. */
export const FIRMWARE = new Uint8Array(48).fill(0xf1)

/** Evidence of a relay, and the root of the simulated processor below it. */
export type RecordedRelay = { readonly evidence: Uint8Array; readonly processorRoot: Uint8Array }

const root = join(import.meta.dirname, '../../..')

/** The shipped policy, with a profile that says that the launch ends at the firmware. */
const policyOf = (folder: string): string => {
  const policy = join(folder, 'policy')
  cpSync(join(root, 'infra/policy'), policy, { recursive: true })
  const path = join(policy, 'profiles/confidential.json')
  const descriptor = parseJson(new Uint8Array(readFileSync(path)))
  if (!isJsonObject(descriptor)) throw new Error('the profile is no object')
  writeFileSync(path, JSON.stringify({ ...descriptor, launch_covers: 'firmware' }))
  return policy
}

/** Starts a relay in its confidential profile on a simulated processor and this TPM, and takes its boot document. */
export const recordRelay = async (attester: BootAttester, folder: string): Promise<RecordedRelay> => {
  const processor = await createSimulatedProcessor({
    product: 'Milan',
    now: Date.now(),
    measurement: FIRMWARE,
  })
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    proxy: null,
    advertise_url: null,
    store_directory: join(folder, 'store'),
    policy_directory: policyOf(folder),
    image_digest: null,
  }
  const relay = await startRelay({
    config: parseRelayConfig(config, 'confidential', join(folder, 'relay.json')),
    collector: processor.collector,
    attester,
    environment: {},
    clock: systemClock(),
    random: (size) => new Uint8Array(randomBytes(size)),
    log: () => undefined,
  })
  const response = await fetch(`${relay.url}/evidence`)
  const evidence = new Uint8Array(await response.arrayBuffer())
  await relay.close()
  return { evidence, processorRoot: processor.rootCertificate }
}
