import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import {
  type Clock,
  jsonLog,
  type Limits,
  loadPolicyBundle,
  type PolicyBundle,
  type Relay,
  type RelayConfig,
  type RelayOptions,
  startRelay,
  systemClock,
} from '@parley/enclave'
import { hash, type JsonObject, type Lane } from '@parley/protocol'
import { atEnd, freshFolder } from './cleanup.js'
import { theProcessor } from './processor.js'

export const POLICY_DIRECTORY = fileURLToPath(new URL('../../infra/policy', import.meta.url))

export const LANES: readonly Lane[] = ['confidential', 'software']

export const fresh = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

/** The shipped policy at a pace that suits a test: the limits are the host's patience, not what is promised. */
export const SHORT: Partial<Limits> = {
  tick_ms: 20,
  release_slot_ms: 200,
  report_window_ms: 5,
  evidence_per_minute: 100_000,
  sessions_per_participant: 4096,
}

export const testBundle = (
  lane: Lane,
  limits: Partial<Limits> = {},
  policies: readonly JsonObject[] = [],
): PolicyBundle => {
  const shipped = loadPolicyBundle(POLICY_DIRECTORY, lane)
  const more = policies.map((policy): [string, JsonObject] => [hash(policy), policy])
  return {
    ...shipped,
    limits: { ...shipped.limits, ...SHORT, ...limits },
    guardianPolicies: new Map([...shipped.guardianPolicies, ...more]),
  }
}

const sealedBy = (sealing: RelayWish['sealing'], bundle: PolicyBundle): PolicyBundle =>
  sealing === undefined ? bundle : { ...bundle, profile: { ...bundle.profile, sealing } }

export const relayConfig = (lane: Lane, store: string, proxy: string | null = null): RelayConfig => ({
  profile: lane,
  listen: { host: '127.0.0.1', port: 0 },
  proxy,
  advertise_url: null,
  store_directory: store,
  policy_directory: POLICY_DIRECTORY,
  image_digest: null,
  collateral_directory: null,
  provider_keys: {},
  previous: null,
})

/** A relay, where its store is, and every line that it logged. */
export type TestRelay = Relay & { readonly lane: Lane; readonly store: string; readonly lines: string[] }

export type RelayWish = {
  readonly store?: string
  readonly limits?: Partial<Limits>
  readonly policies?: readonly JsonObject[]
  /** Providers and registry in place of the shipped ones. */
  readonly models?: Pick<PolicyBundle, 'providers' | 'registry'>
  readonly proxy?: string
  readonly clock?: Clock
  readonly random?: RelayOptions['random']
  readonly collector?: RelayOptions['collector']
  readonly sealing?: PolicyBundle['profile']['sealing']
  /** Whom its operator wants erased. */
  readonly erase?: readonly string[]
}

const modelsOf = ({ models }: RelayWish): Partial<PolicyBundle> =>
  models === undefined ? {} : { providers: models.providers, registry: models.registry }

/** Starts the real relay of a lane: real store, real reports of a simulated chip. */
export const openRelay = async (lane: Lane, wish: RelayWish = {}): Promise<TestRelay> => {
  const store = wish.store ?? freshFolder()
  const lines: string[] = []
  const chip = lane === 'confidential' ? (await theProcessor()).collector : null
  const relay = await startRelay({
    config: {
      ...relayConfig(lane, store, wish.proxy),
      ...(wish.erase === undefined ? {} : { erase: [...wish.erase] }),
    },
    bundle: sealedBy(wish.sealing, {
      ...testBundle(lane, wish.limits, wish.policies),
      ...modelsOf(wish),
    }),
    collector: wish.collector ?? chip,
    environment: { PATH: '/bin' },
    clock: wish.clock ?? systemClock(),
    random: wish.random ?? fresh,
    log: jsonLog((line) => lines.push(line)),
  })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= relay.close())
  atEnd(close)
  return { ...relay, close, lane, store, lines }
}
