import { formatDid, type JsonValue, type SigningKey, signingKeyFromSeed } from '@parley/protocol'
import {
  type ApprovalPort,
  type ApprovalTime,
  type Capability,
  CapabilityRegistry,
  createPolicySlot,
  type Decision,
  type EffectRequest,
  Gate,
  type GatePorts,
  type GateRecord,
  type Grant,
  type Identity,
  issueGrant,
  LiveEvents,
  MemoryApprovals,
  type Policy,
  type PolicyQuestion,
  type PolicySlot,
  Run,
  SecretVault,
} from '../../src/index.js'

export const NOW = 1_790_000_000

const keyOf = (octet: number): SigningKey => signingKeyFromSeed(new Uint8Array(32).fill(octet))
const didOf = (octet: number): string =>
  formatDid({ namespace: 'self', kind: 'agent', publicKey: keyOf(octet).publicKey })

export const OWNER = { did: didOf(1), key: keyOf(1) }
export const STRANGER = { did: didOf(2), key: keyOf(2) }
export const HOST = didOf(3)
export const AGENT = didOf(4)

export const identity: Identity = {
  owner: OWNER.did,
  tenant: 'acme',
  session: 'session-1',
  credential_context: 'acme/agent',
  principal: { type: 'Agent', id: AGENT, attributes: { did: AGENT, depth: 1 } },
  delegation: [],
}

export const request: EffectRequest = {
  effect: 'tool',
  resource: 'send-mail',
  arguments: { to: 'bob@example.org', text: 'hello' },
  purpose: 'support',
  classification: 'INTERNAL',
  recipients: ['bob'],
}

export const BUNDLE = 'b'.repeat(64)

export const policyOf = (
  decide: Decision | ((question: PolicyQuestion) => Decision),
  bundleHash = BUNDLE,
): Policy => ({
  bundleHash,
  decide: (question) => ({
    decision: typeof decide === 'string' ? decide : decide(question),
    rules: ['the-rule'],
  }),
})

/** A clock that stands until the test moves it. */
export class Hands implements ApprovalTime {
  #now = NOW
  readonly #alarms: { readonly at: number; readonly ring: () => void }[] = []

  readonly nowSeconds = (): number => this.#now

  readonly sleepUntil = (at: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted || at <= this.#now) resolve()
      signal.addEventListener('abort', () => {
        resolve()
      })
      this.#alarms.push({ at, ring: resolve })
    })

  move(seconds: number): void {
    this.#now += seconds
    for (const { at, ring } of this.#alarms) if (at <= this.#now) ring()
  }
}

/** The owner's signature under an effect's digest. */
export const grantFor = (digest: string, { by = OWNER, now = NOW, sub = AGENT, aud = HOST } = {}): Grant =>
  issueGrant(
    {
      ...{ typ: 'approval', iss: by.did, sub, aud, iat: now, exp: now + 900 },
      ...{ jti: digest, action_digest: digest, max_uses: 1 },
    },
    by.key,
  )

/** What a stage may have that is not the usual. */
export type Change = {
  readonly decide?: Decision | ((question: PolicyQuestion) => Decision)
  readonly identify?: () => Identity | undefined
  readonly execute?: Capability['execute'] | null
  readonly credentials?: readonly string[]
  readonly resource?: GatePorts['resource']
  readonly quota?: GatePorts['quota']
  readonly evidence?: (record: GateRecord) => Promise<void> | void
  readonly approvals?: ApprovalPort
}

/** A gate with a policy, one capability and one run, everything in memory. */
export type GateStage = {
  readonly gate: Gate
  readonly run: Run
  readonly ports: GatePorts
  readonly slot: PolicySlot
  readonly records: GateRecord[]
  readonly live: LiveEvents
  readonly approvals: MemoryApprovals
  readonly hands: Hands
  readonly secrets: SecretVault
  readonly calls: JsonValue[]
  /** The names of an effect's events so far, or of all. */
  readonly events: (effectId?: string) => string[]
  /** Waits until an effect waits for an approval, and gives its digest. */
  readonly asked: () => Promise<string>
}

export const setStage = async (change: Change = {}): Promise<GateStage> => {
  const hands = new Hands()
  const records: GateRecord[] = []
  const calls: JsonValue[] = []
  const live = new LiveEvents()
  const secrets = new SecretVault()
  const slot = createPolicySlot(policyOf(change.decide ?? 'allow'))
  const approvals = new MemoryApprovals(hands, { approvers: [OWNER.did], audience: HOST })
  const capabilities = new CapabilityRegistry()
  const execute = change.execute ?? (() => Promise.resolve({ sent: true }))
  if (change.execute !== null)
    capabilities.register({
      effect: 'tool',
      resource: 'send-mail',
      credentials: change.credentials ?? [],
      execute: (call) => {
        calls.push(call.arguments)
        return execute(call)
      },
    })
  let drawn = 0
  const ports: GatePorts = {
    resource:
      change.resource ??
      ((type, id) => (id === 'unknown' ? undefined : { type, id, attributes: { tier: 1 } })),
    policy: slot,
    approvals: change.approvals ?? approvals,
    quota: change.quota ?? (() => true),
    capabilities,
    secrets,
    nowSeconds: hands.nowSeconds,
    effectId: () => `effect-${(drawn += 1)}`,
    approvalSeconds: 300,
  }
  const run = await Run.start({
    id: 'run-1',
    identify: change.identify ?? (() => identity),
    evidence: async (record) => {
      await change.evidence?.(record)
      records.push(record)
    },
    live,
  })
  const events = (effectId?: string): string[] =>
    records
      .filter(
        ({ fields }) => effectId === undefined || ('effect_id' in fields && fields.effect_id === effectId),
      )
      .map(({ event }) => event)
  const asked = async (): Promise<string> => {
    for (;;) {
      const [waiting] = approvals.list().filter(({ state }) => state === 'pending')
      if (waiting !== undefined) return waiting.effect_digest
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return {
    ...{ gate: new Gate(ports), run, ports, slot, records, live, approvals, hands, secrets, calls, events },
    asked,
  }
}

/** A promise and what settles it. */
export const deferred = <T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } => {
  let settle: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return {
    promise,
    resolve: (value) => {
      settle(value)
    },
  }
}
