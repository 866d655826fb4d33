import {
  canonicalBytes,
  formatDid,
  type JsonObject,
  sha256,
  signingKeyFromSeed,
  toHex,
  utf8,
} from '@parley/protocol'
import {
  type A2aEvent,
  attach,
  createTaskIngress,
  type IngressPorts,
  macKey,
  type MacKey,
  macKeyOfHex,
  parseOrigin,
  ReplayTable,
  signTask,
  type TaskEnvelope,
  type TaskIngress,
  TokenBuckets,
  type UnsignedTask,
} from '../../src/index.js'

export const NOW = 1_748_390_400
export const hmacHex = '01'.repeat(32)
export const recvHex = '02'.repeat(32)
export const senderKey = signingKeyFromSeed(new Uint8Array(32).fill(3))
export const receiverKey = signingKeyFromSeed(new Uint8Array(32).fill(4))
export const senderInstance = '11111111-2222-4333-8444-555555555555'
export const receiverInstance = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'

export const originFile: JsonObject = {
  origin_id: 'peer-a',
  hmac_key: hmacHex,
  recv_key: recvHex,
  enabled: true,
  sender_did: formatDid({ namespace: 'test', kind: 'agent:instance', publicKey: senderKey.publicKey }),
  sender_instance_id_pin: senderInstance,
  allowed_purposes: ['compute'],
  spawn_worker: true,
  allowed_personas: ['analyst'],
}

export const file = attach({ name: 'data.csv', mime: 'text/csv', bytes: utf8('a,b\n1,2\n') })

export const unsignedTask: UnsignedTask = {
  task_id: 'task_0001',
  origin_id: 'peer-a',
  sender_instance_id: senderInstance,
  purpose_id: 'compute',
  instruction: 'Compare the two figures.',
  attachments: [file],
  result_schema: { type: 'object', properties: { verdict: { type: 'string' } } },
  nonce: '3b1f8a52-7c1e-4c1d-9c51-0d6a6d0f7a11',
  issued_at: NOW,
  ttl_s: 60,
}

export const sign = (change: Partial<UnsignedTask> = {}, hmac: MacKey = macKeyOfHex(hmacHex)): TaskEnvelope =>
  signTask({ ...unsignedTask, ...change }, { lane: 'software', hmac, sender: senderKey })

export const bytes = (task: JsonObject): Uint8Array => canonicalBytes(task)
export const digestOf = (body: Uint8Array): string => toHex(sha256(body))

type World = {
  readonly admit: TaskIngress
  readonly ports: IngressPorts
  readonly events: A2aEvent[]
  readonly table: ReplayTable
  readonly registry: Map<string, JsonObject>
  readonly clock: { now: number; ms: number }
  /** `SUBJECT/PURPOSE` of each grant. */
  readonly consents: Set<string>
}

/** A receiver in memory: real tables behind the ports, its log and its clock in the open. */
export const world = (change: JsonObject = {}, ports: Partial<IngressPorts> = {}): World => {
  const events: A2aEvent[] = []
  const table = new ReplayTable()
  const registry = new Map<string, JsonObject>([['peer-a', { ...originFile, ...change }]])
  const clock = { now: NOW, ms: 0 }
  const consents = new Set<string>()
  const all: IngressPorts = {
    receiver: {
      lane: 'software',
      instance_id: receiverInstance,
      key: receiverKey,
      decoy: macKey(new Uint8Array(32).fill(9)),
    },
    clock: { nowSeconds: () => clock.now, monotonicMs: () => clock.ms },
    origins: {
      find: (id) => {
        const found = registry.get(id)
        return Promise.resolve(
          found === undefined ? { ok: false, reason: 'unknown_origin' } : parseOrigin(found),
        )
      },
    },
    rate: new TokenBuckets(),
    replay: {
      take: (nonce, now) => Promise.resolve(table.take(nonce, now)),
      release: (nonce) => {
        table.release(nonce)
        return Promise.resolve()
      },
    },
    audit: {
      append: (event) => {
        events.push(event)
        return Promise.resolve()
      },
    },
    dataFlow: { allows: () => Promise.resolve(true) },
    consent: {
      consume: ({ subject, purpose }) => Promise.resolve(consents.has(`${subject}/${purpose}`)),
    },
    ...ports,
  }
  return { admit: createTaskIngress(all), ports: all, events, table, registry, clock, consents }
}
