import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { NO_REGISTRY, type Policy, type Registry } from '@parley/guardian'
import {
  type Binding,
  type Contract,
  type Hardware,
  hash,
  isJsonObject,
  type JsonObject,
  keysetLeaf,
  type Lane,
  MerkleTree,
  parseContract,
  parseJson,
  signPossession,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { type AuditEvent, type AuditLog, openAuditLog } from '../../src/audit/audit-log.js'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import type { Reporter } from '../../src/evidence/reporter.js'
import { makeRelayKeys } from '../../src/keys/make-relay-keys.js'
import type { RelayKeys } from '../../src/keys/relay-keys.js'
import type { LogEvent } from '../../src/log.js'
import type { ModelServices } from '../../src/model/model-service.js'
import type { Limits, PolicyBundle } from '../../src/policy-bundle.js'
import { createSessions, type SessionDeps, type Sessions } from '../../src/session/app.js'
import { sealStore } from '../../src/store/sealed-store.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { type FakeClock, fakeClock } from '../fake-clock.js'
import { OPEN_DATA_POLICY } from './open-data-policy.js'
import { type MemoryStore, memoryStore } from './memory-store.js'

const registry = (path: string): JsonObject => {
  const value = parseJson(readFileSync(new URL(`../../../registry/${path}`, import.meta.url)))
  if (!isJsonObject(value)) throw new Error(`${path} is no object`)
  return value
}

export const POLICY = registry(
  'policies/sha256-3e4d4e61bf771575ec2029004b8168b11ec6ac18a41a142b12a815f5a554bc72.json',
)
export const CONTRACT: Contract = parseContract(registry('contracts/negotiation-band.json'))

export const LIMITS: Limits = {
  session_ttl_seconds: 600,
  keyset_lifetime_seconds: 86_400,
  replay_entries: 1000,
  concurrent_requests: 100,
  sessions: 50,
  sessions_per_participant: 10,
  contract_bytes: 65_536,
  open_contract_bytes: 1_048_576,
  open_input_bytes: 4_194_304,
  tick_ms: 100,
  release_slot_ms: 1000,
  model_slot_ms: 8000,
  date_window_seconds: 300,
  report_window_ms: 50,
  evidence_per_minute: 60,
}

const PRESENT: Hardware = {
  report: toBase64url(new Uint8Array(1184).fill(7)),
  leaf_certificate: toBase64url(new Uint8Array(1340).fill(1)),
  intermediate_certificate: toBase64url(new Uint8Array(1400).fill(2)),
  root_certificate: toBase64url(new Uint8Array(1500).fill(3)),
  crl: null,
  firmware_endorsement: null,
  boot_evidence: null,
}

export type TestRelay = {
  readonly sessions: Pick<Sessions, 'handle' | 'close'>
  readonly deps: SessionDeps & { readonly bundle: PolicyBundle }
  readonly clock: FakeClock
  /** What the host owns: below the sealing, where there is one. */
  readonly disk: MemoryStore
  readonly audit: AuditLog & { readonly events: AuditEvent[] }
  readonly logged: LogEvent[]
  readonly lane: Lane
  /** Lets a request wait for ticks until it is answered. */
  readonly wait: <T>(pending: Promise<T>) => Promise<T>
}

export type RelayOptions = {
  readonly lane?: Lane
  readonly limits?: Partial<Limits>
  readonly disk?: MemoryStore
  readonly reporter?: (keys: RelayKeys) => Reporter
  readonly policies?: readonly JsonObject[]
  readonly random?: (size: number) => Uint8Array
  readonly evaluator?: Evaluator
  /** Lets everything if not given: what the shipped rules say, other tests ask. */
  readonly effectPolicy?: Policy
  readonly models?: ModelServices
  readonly registry?: Registry
}

export function testRelay(options: RelayOptions = {}): TestRelay {
  const { lane = 'software', disk = memoryStore(), random = fresh } = options
  const clock = fakeClock()
  disk.now = clock.nowMs
  const limits = { ...LIMITS, ...options.limits }
  const registry = options.registry ?? NO_REGISTRY
  const bundle = { ...policyBundle(limits, lane, options.policies ?? [POLICY]), registry }
  const terms = { keyId: 1, bundle, image_digest: null, previous: null, now: clock.nowSeconds() }
  const keys = makeRelayKeys(terms, fresh)
  const store = lane === 'confidential' ? sealStore(disk, keys.sealingKey, fresh) : disk
  const audit = spied(openAuditLog({ keys, store, clock, random }))
  const logged: LogEvent[] = []
  const deps: TestRelay['deps'] = {
    keys,
    store,
    audit,
    reporter: (options.reporter ?? treeReporter)(keys),
    bootEvidence: {
      version: 'parley-evidence-v1',
      keyset: keys.keyset,
      nonce: null,
      binding: bind(keys, keysetLeaf(keys.keyset, null)),
    },
    attestationHash: lane === 'confidential' ? 'ab'.repeat(32) : null,
    bundle,
    effectPolicy: options.effectPolicy ?? ALLOWING,
    evaluator: options.evaluator ?? inProcessEvaluator,
    models: options.models ?? new Map(),
    clock,
    random,
    log: (event) => logged.push(event),
  }
  const wait = <T>(pending: Promise<T>): Promise<T> => onTicks(clock, limits.tick_ms, pending)
  return { sessions: createSessions(deps), deps, clock, disk, audit, logged, lane, wait }
}

const ALLOWING: Policy = {
  bundleHash: 'b1'.repeat(32),
  decide: () => ({ decision: 'allow', rules: ['test'] }),
}

const fresh = (size: number): Uint8Array => new Uint8Array(randomBytes(size))

const onTicks = async <T>(clock: FakeClock, tickMs: number, pending: Promise<T>): Promise<T> => {
  const state = { done: false }
  const finished = pending.finally(() => (state.done = true))
  finished.catch(() => undefined)
  for (let tick = 0; tick < 1000; tick++) {
    await clock.advance(0)
    if (state.done) break
    await clock.advance(tickMs - (clock.nowMs() % tickMs))
  }
  return finished
}

const policyBundle = (limits: Limits, lane: Lane, policies: readonly JsonObject[]): PolicyBundle => ({
  hash: 'b1'.repeat(32),
  limits,
  registry: NO_REGISTRY,
  providers: [],
  data: OPEN_DATA_POLICY,
  cedar: new Map(),
  guardianPolicies: new Map(policies.map((policy) => [hash(policy), policy])),
  authorities: [],
  defaultGuardianPolicy: hash(policies[0] ?? POLICY),
  profile: { name: lane, hash: 'c2'.repeat(32), descriptor: {}, sealing: 'memory', launchCovers: 'app' },
})

/** The real log, and what was written to it. */
const spied = (audit: AuditLog): AuditLog & { readonly events: AuditEvent[] } => {
  const events: AuditEvent[] = []
  return {
    ...audit,
    events,
    append: async (event, withProof) => {
      const proof = await audit.append(event, withProof)
      events.push(event)
      return proof
    },
  }
}

/** One leaf and a random one, as a reporter alone in its window would make it; the report itself is not a real one. */
const bind = ({ keyset, keysetDigest, receiptKey }: RelayKeys, leaf: Uint8Array): Binding => {
  const tree = new MerkleTree([leaf, fresh(32)])
  const head = { keyset_digest: keysetDigest, tree_size: 2, root: toHex(tree.root()) }
  return {
    tree_size: 2,
    leaf_index: 0,
    path: tree.inclusionPath(0).map(toHex),
    possession: signPossession(keyset.lane, head, receiptKey),
    hardware: keyset.lane === 'confidential' ? PRESENT : null,
  }
}

const treeReporter = (keys: RelayKeys): Reporter => ({ bind: (leaf) => Promise.resolve(bind(keys, leaf)) })
