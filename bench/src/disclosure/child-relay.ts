import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Trust } from '@parley/agent'
import type { Lane } from '@parley/protocol'
import { endChild } from '../end-child.js'
import { nextMessage } from '../next-message.js'
import type { Met } from '../session/confer.js'

/** What the relay's process says. */
export type RelayTold = {
  readonly url: string
  readonly trust: Trust
  /** CPU time that the process has used so far. */
  readonly microseconds: number
  /** The operations that it has recorded, counted. */
  readonly cryptography: string
}

/** A relay in a process of its own. */
export type ChildRelay = {
  readonly met: Met
  /** Has it do something; what its process has used then. `record` until `stop`: its cryptography, which `again` repeats. */
  readonly ask: (job: 'cpu' | 'record' | 'stop' | 'again') => Promise<RelayTold>
  readonly stop: () => Promise<void>
}

const isTold = (message: unknown): message is RelayTold =>
  typeof message === 'object' && message !== null && 'microseconds' in message && 'cryptography' in message

/** Starts a relay of a lane, with its store in a folder. */
export async function startChildRelay(lane: Lane, folder: string): Promise<ChildRelay> {
  const path = fileURLToPath(new URL('./relay-main.js', import.meta.url))
  const child = fork(path, [lane, folder], { execArgv: [], serialization: 'advanced' })
  const { url, trust } = await nextMessage(child, isTold)
  return {
    met: { url, trust },
    ask: async (job) => {
      child.send(job)
      return nextMessage(child, isTold)
    },
    stop: () => endChild(child),
  }
}
