import {
  createTaskIngress,
  type IngressPorts,
  macKey,
  ReplayTable,
  type TaskAdmission,
  TokenBuckets,
} from '@parley/guardian'
import { generateSigningKey } from '@parley/protocol'
import { NOW, type SignedTasks } from './signed-tasks.js'

/** A receiver's pipeline with its real tables, in memory: what is made durable, the other groups measure. */
export type Pipeline = {
  readonly admit: (body: Uint8Array) => Promise<TaskAdmission>
  /** Forgets all nonces: the same tasks may come again. */
  readonly forget: () => void
}

export const openPipeline = ({ origin }: Pick<SignedTasks, 'origin'>): Pipeline => {
  let table = new ReplayTable()
  let ms = 0
  const buckets = new TokenBuckets()
  const ports: IngressPorts = {
    receiver: {
      lane: 'software',
      instance_id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      key: generateSigningKey(),
      decoy: macKey(new Uint8Array(32).fill(9)),
    },
    clock: { nowSeconds: () => NOW, monotonicMs: () => (ms += 1) },
    origins: { find: () => Promise.resolve({ ok: true, value: origin }) },
    rate: { take: (id, perMinute, nowMs) => buckets.take(id, perMinute, nowMs) },
    replay: {
      take: (nonce, now) => Promise.resolve(table.take(nonce, now)),
      release: (nonce) => {
        table.release(nonce)
        return Promise.resolve()
      },
    },
    audit: { append: () => Promise.resolve() },
    dataFlow: { allows: () => Promise.resolve(true) },
    consent: { consume: () => Promise.resolve(false) },
  }
  return {
    admit: createTaskIngress(ports),
    forget: () => {
      table = new ReplayTable()
    },
  }
}
