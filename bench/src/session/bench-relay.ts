import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Trust } from '@parley/agent'
import { loadPolicyBundle, type PolicyBundle, type Relay, startRelay, systemClock } from '@parley/enclave'
import type { JsonObject, Keyset, Lane } from '@parley/protocol'
import { createSimulatedProcessor } from '@parley/scripts'
import { anyIdentity, hardwarePolicy } from '../evidence/hardware-policy.js'

/** A relay in this process, and what participants judge it by. */
export type BenchRelay = { readonly relay: Relay; readonly trust: Trust }

const POLICY_DIRECTORY = fileURLToPath(new URL('../../../infra/policy', import.meta.url))
const MEASUREMENT = new Uint8Array(48).fill(0xd3)

// A session waits for ticks and for its slot. Waiting takes no CPU time, so it is cut short here.
const QUICK = { tick_ms: 10, release_slot_ms: 40, report_window_ms: 10 }

function quickBundle(lane: Lane): PolicyBundle {
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, lane)
  return { ...bundle, limits: { ...bundle.limits, ...QUICK } }
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
      policy_directory: POLICY_DIRECTORY,
      collateral_directory: null,
      image_digest: null,
      previous: null,
    },
    bundle: quickBundle(lane),
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
