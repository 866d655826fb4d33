import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endChild } from '../end-child.js'
import { nextMessage } from '../next-message.js'
import type { Told } from './serve-forwarder.js'

/** A forwarder in a process of its own. */
export type ChildForwarder = {
  readonly url: string
  readonly controlUrl: string | null
  /** CPU time that its process has used so far, in microseconds. */
  readonly cpuMicroseconds: () => Promise<number>
  readonly stop: () => Promise<void>
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'url' in message && 'cpuMicroseconds' in message
}

/** Starts `NAME.js ARGS` of this folder. */
export async function startForwarder(name: string, args: readonly string[]): Promise<ChildForwarder> {
  const child = fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), args, { execArgv: [] })
  const { url, controlUrl } = await nextMessage(child, isTold)
  return {
    url,
    controlUrl,
    cpuMicroseconds: async () => {
      child.send('cpu')
      return (await nextMessage(child, isTold)).cpuMicroseconds
    },
    stop: () => endChild(child),
  }
}
