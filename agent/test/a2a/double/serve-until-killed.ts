import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IngressPorts } from '@parley/guardian'
import { systemReceiverClock } from '../../../src/a2a/receiver-clock.js'
import { withReceiver } from '../../../src/a2a/with-receiver.js'
import type { WorkerTask } from '../../../src/a2a/worker.js'
import { loadIdentity } from '../../../src/index.js'

// A receiver in a process of its own that ends itself as `kill -9` does, at a moment of its task.
const [home = '', moment = '', effect = ''] = process.argv.slice(2)

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

const dying = (own: IngressPorts): IngressPorts => ({
  ...own,
  replay: {
    take: async (nonce, now) => {
      const taken = await own.replay.take(nonce, now)
      return moment === 'nonce' && taken === 'taken' ? await die() : taken
    },
    release: (nonce) => own.replay.release(nonce),
  },
  audit: {
    append: async (event) => {
      await own.audit.append(event)
      if (event.event === moment) await die()
    },
  },
})

const run = async ({ task_id, scratch }: WorkerTask): Promise<string> => {
  appendFileSync(effect, `${task_id}\n`)
  writeFileSync(join(scratch.out, 'half.txt'), 'half of')
  return moment === 'worker' ? await die() : '{"verdict":"yes"}'
}

await withReceiver(
  {
    home,
    identity: await loadIdentity(join(home, 'identity.json')),
    worker: { engine_id: 'command', most: 'INTERNAL', run },
    address: { host: '127.0.0.1', port: 0 },
    clock: systemReceiverClock,
    ports: dying,
    evidence: (own) => async (record) => {
      await own(record)
      if (record.event === moment) await die()
    },
  },
  ({ url }) => {
    process.stdout.write(`${url}\n`)
    return new Promise(() => setInterval(() => undefined, 1000))
  },
)
