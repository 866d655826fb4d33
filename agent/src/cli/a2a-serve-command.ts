import { classificationOf } from '@parley/guardian'
import { commandWorker } from '../a2a/command-worker.js'
import { checkPublicUrl } from '../a2a/public-url.js'
import { systemReceiverClock } from '../a2a/receiver-clock.js'
import { isLoopback } from '../a2a/task-url.js'
import { untilSignal } from '../a2a/until-signal.js'
import { withReceiver } from '../a2a/with-receiver.js'
import { COMMAND_ENGINE } from '../a2a/work-policy.js'
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
  readonly engine?: string
  /** Milliseconds. */
  readonly approvalWait?: number
  readonly runsPerMinute?: number
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
  const { host, port, approvalWait, runsPerMinute } = options
  if (!isLoopback(host)) io.err(`warning: ${host} is reached without TLS from elsewhere\n`)
  const clock = { ...io.clock, monotonicMs: systemReceiverClock.monotonicMs }
  const address = { host, port }
  const settings = {
    ...{ home, identity, worker, address, clock },
    ...(approvalWait === undefined ? {} : { approvalSeconds: approvalWait / 1000 }),
    ...(runsPerMinute === undefined ? {} : { runsPerMinute }),
  }
  await withReceiver(settings, async ({ url, instance_id }) => {
    io.out(`${url} ${instance_id}\n`)
    const publicUrl = options.publicUrl ?? io.env['PARLEY_A2A_PUBLIC_URL']
    for (const warning of await checkPublicUrl(publicUrl, { nowMs: io.clock.nowMs() }))
      io.err(`warning: ${warning}\n`)
    await stopped()
  })
  return 0
}

const ENGINE_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/

const workerOf = (command: readonly string[], options: ServeOptions, { env }: Io): Worker | null => {
  const { maxLabel, engine = COMMAND_ENGINE } = options
  const [program, ...args] = command
  const most = classificationOf(maxLabel)
  if (most === undefined)
    throw new AgentError('argument_invalid', 'a label is PUBLIC, INTERNAL, CONFIDENTIAL or SECRET')
  if (!ENGINE_ID.test(engine)) throw new AgentError('argument_invalid', 'no id of an engine')
  if (program === undefined) return null
  return commandWorker({ program, args, path: env['PATH'] ?? '', most, engine })
}
