import { randomBytes } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Trust } from '@parley/agent'
import { type Relay, startRelay, systemClock } from '@parley/enclave'
import {
  canonicalize,
  isJsonObject,
  type JsonObject,
  type Keyset,
  type Lane,
  parseJson,
} from '@parley/protocol'
import { createSimulatedProcessor } from '@parley/scripts'
import { anyIdentity, hardwarePolicy } from '../evidence/hardware-policy.js'

/** A relay in this process, and what participants judge it by. */
export type BenchRelay = { readonly relay: Relay; readonly trust: Trust }

const POLICY_DIRECTORY = fileURLToPath(new URL('../../../infra/policy', import.meta.url))
const MEASUREMENT = new Uint8Array(48).fill(0xd3)

// A session waits for ticks and for its slot. Waiting takes no CPU time, so it is cut short here, as any bundle may.
const QUICK = { tick_ms: 10, release_slot_ms: 40, report_window_ms: 10 }

/** The shipped policy bundle with shorter waits, as a directory that a relay loads. */
function quickPolicy(folder: string): string {
  const directory = join(folder, 'policy')
  cpSync(POLICY_DIRECTORY, directory, { recursive: true })
  const limits = parseJson(readFileSync(join(directory, 'limits.json')))
  if (!isJsonObject(limits)) throw new Error('the limits are no object')
  writeFileSync(join(directory, 'limits.json'), canonicalize({ ...limits, ...QUICK }))
  return directory
}

// A relay without hardware is known by its receipt key alone, which is pinned here as its operator would hand it over.
function verifierPolicy({ lane, receipt_key }: Keyset): JsonObject {
  const confidential = lane === 'confidential'
  const any = { any: 'a relay of this bench' }
  return {
    version: 'parley-policy-v1',
    minimum_assurance: confidential ? 'TEE_ATTESTED' : 'SELF_ASSERTED',
    accept_simulated: confidential,
    hardware: confidential
      ? hardwarePolicy({ measurement: MEASUREMENT, chip_id: anyIdentity, host_data: anyIdentity })
      : null,
    relay: {
      version: any,
      image_digest: any,
      policy_bundle_hash: any,
      profile_hash: any,
      receipt_key: confidential ? any : { equals: receipt_key },
    },
    waive: [],
  }
}

/** Starts a relay of a lane, listening on loopback; in the confidential lane on a simulated processor. */
export async function startBenchRelay(lane: Lane, folder: string): Promise<BenchRelay> {
  const confidential = lane === 'confidential'
  const chip = confidential
    ? await createSimulatedProcessor({ product: 'Milan', now: Date.now(), measurement: MEASUREMENT })
    : null
  const relay = await startRelay({
    config: {
      profile: lane,
      listen: { host: '127.0.0.1', port: 0 },
      proxy: null,
      advertise_url: null,
      store_directory: join(folder, 'store'),
      policy_directory: quickPolicy(folder),
      collateral_directory: null,
      provider_keys: {},
      image_digest: null,
      previous: null,
    },
    collector: chip?.collector ?? null,
    environment: {},
    clock: systemClock(),
    random: (size) => new Uint8Array(randomBytes(size)),
    log: () => undefined,
  })
  return {
    relay,
    trust: { policy: verifierPolicy(relay.keyset), roots: chip === null ? [] : [chip.rootCertificate] },
  }
}
