import { classificationOf } from '@parley/guardian'
import { commandWorker } from '../a2a/command-worker.js'
import { checkPublicUrl } from '../a2a/public-url.js'
import { systemReceiverClock } from '../a2a/receiver-clock.js'
import { isLoopback } from '../a2a/task-url.js'
import { untilSignal } from '../a2a/until-signal.js'
import { withReceiver } from '../a2a/with-receiver.js'
import type { Worker } from '../a2a/worker.js'
import { AgentError } from '../agent-error.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** The options of `parley a2a serve`. */
export type ServeOptions = HomeOption & {
  readonly host: string
  readonly port: number
  readonly publicUrl?: string
  readonly maxLabel: string
}

/**
 * `parley a2a serve`: takes tasks until it is told to end.
 * @param command the worker's; empty: tasks are recorded and run by nobody
 */
export const runServe = async (
  command: readonly string[],
  options: ServeOptions,
  io: Io,
  stopped: () => Promise<void> = untilSignal,
): Promise<number> => {
  const { home, identity } = await openHome(options, io)
  const worker = workerOf(command, options, io)
  const { host, port } = options
  if (!isLoopback(host)) io.err(`warning: ${host} is reached without TLS from elsewhere\n`)
  const clock = { ...io.clock, monotonicMs: systemReceiverClock.monotonicMs }
  const address = { host, port }
  await withReceiver({ home, identity, worker, address, clock }, async ({ url, instance_id }) => {
    io.out(`${url} ${instance_id}\n`)
    const publicUrl = options.publicUrl ?? io.env['PARLEY_A2A_PUBLIC_URL']
    for (const warning of await checkPublicUrl(publicUrl, { nowMs: io.clock.nowMs() }))
      io.err(`warning: ${warning}\n`)
    await stopped()
  })
  return 0
}

const workerOf = (command: readonly string[], { maxLabel }: ServeOptions, { env }: Io): Worker | null => {
  const [program, ...args] = command
  const most = classificationOf(maxLabel)
  if (most === undefined)
    throw new AgentError('argument_invalid', 'a label is PUBLIC, INTERNAL, CONFIDENTIAL or SECRET')
  return program === undefined ? null : commandWorker({ program, args, path: env['PATH'] ?? '', most })
}
