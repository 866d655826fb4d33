import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type IngressPorts, isWithin, macKey, TokenBuckets } from '@parley/guardian'
import type { Lane } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import { withFileLock } from '../file-lock.js'
import { consentPort } from '../grants/consent-port.js'
import { GrantFolder } from '../grants/grant-folder.js'
import type { Identity } from '../identity.js'
import { type A2aPaths, a2aPaths } from './a2a-paths.js'
import { AuditFile } from './audit-file.js'
import { ownInstanceId } from './instance-id.js'
import { OriginFiles } from './origin-files.js'
import { createReceive } from './receive-task.js'
import type { ReceiverClock } from './receiver-clock.js'
import { ReplayFile } from './replay-file.js'
import { clearScratch } from './scratch.js'
import { createTaskApp } from './task-app.js'
import { openTaskListener, type TaskAddress } from './task-listener.js'
import { Turns } from './turns.js'
import type { Worker } from './worker.js'

const LANE: Lane = 'software'
const MOST_AT_ONCE = 4
// A receiver that was killed leaves its lock behind, which is broken at the first attempt or two.
const LOCK_ATTEMPTS = 25

/** Whose receiver it is, what works for it, and where it listens. */
export type ReceiverSettings = {
  readonly home: string
  readonly identity: Identity
  /** null: tasks are recorded and run by nobody, whatever an origin grants. */
  readonly worker: Worker | null
  readonly address: TaskAddress
  readonly clock: ReceiverClock
  /** Ports that take the place of the home's own. */
  readonly ports?: (own: IngressPorts) => IngressPorts
}

/** A receiver that listens. */
export type RunningReceiver = { readonly url: string; readonly instance_id: string }

/**
 * Runs a home's receiver while something else goes on, and closes it after that. One process at a time has a home's
 * receiver; what a killed one left in its scratch folder goes first.
 * @throws AgentError `state_locked` where another one runs; `file_not_private`, `file_unusable`, `state_malformed`
 */
export const withReceiver = <T>(
  settings: ReceiverSettings,
  use: (receiver: RunningReceiver) => Promise<T>,
): Promise<T> => {
  const paths = a2aPaths(settings.home)
  return withFileLock(join(paths.folder, 'receiver'), () => run(settings, paths, use), LOCK_ATTEMPTS)
}

const run = async <T>(
  settings: ReceiverSettings,
  paths: A2aPaths,
  use: (receiver: RunningReceiver) => Promise<T>,
): Promise<T> => {
  await requirePrivate(paths.folder)
  await clearScratch(paths.scratch)
  const instance_id = await ownInstanceId(paths.instanceId)
  const audit = await AuditFile.open(paths.receivedLog, LANE, settings.clock)
  const replay = await ReplayFile.open(paths.nonces).catch(async (error: unknown) => {
    await audit.close()
    throw error
  })
  const closing = new AbortController()
  try {
    const own = portsOf(settings, paths, { instance_id, audit, replay })
    return await listen(settings, paths, settings.ports?.(own) ?? own, closing.signal, use)
  } finally {
    closing.abort()
    await Promise.all([replay.close(), audit.close()])
  }
}

const listen = async <T>(
  { worker, clock, address }: ReceiverSettings,
  { scratch }: A2aPaths,
  ports: IngressPorts,
  closing: AbortSignal,
  use: (receiver: RunningReceiver) => Promise<T>,
): Promise<T> => {
  const { audit, receiver } = ports
  const turns = new Turns(MOST_AT_ONCE)
  const runner = worker === null ? null : { worker, audit, scratchRoot: scratch, turns }
  const receive = createReceive({ ports, runner, clock, closing })
  const { instance_id } = receiver
  const listener = await openTaskListener(address, createTaskApp({ receive, instance_id, clock }))
  try {
    return await use({ url: listener.url, instance_id })
  } finally {
    await listener.close()
  }
}

const portsOf = (
  { home, identity, worker, clock }: ReceiverSettings,
  paths: A2aPaths,
  { instance_id, audit, replay }: { instance_id: string; audit: AuditFile; replay: ReplayFile },
): IngressPorts => {
  const origins = new OriginFiles(paths.origins)
  return {
    receiver: { lane: LANE, instance_id, key: identity.key, decoy: macKey(randomBytes(32)) },
    clock: { nowSeconds: () => nowSeconds(clock), monotonicMs: clock.monotonicMs },
    origins: { find: (id) => Promise.resolve(origins.find(id)) },
    rate: new TokenBuckets(),
    replay,
    audit,
    // Where nothing works, data goes nowhere.
    dataFlow: {
      allows: ({ classification }) =>
        Promise.resolve(worker === null || isWithin(classification, worker.most)),
    },
    consent: consentPort({
      folder: new GrantFolder(join(home, 'grants'), clock),
      clock,
      audience: identity.did,
      senderOf: (id) => Promise.resolve(origins.senderOf(id)),
    }),
  }
}

/** Who may write into the folder may pair with us. */
const requirePrivate = async (folder: string): Promise<void> => {
  if (((await stat(folder)).mode & 0o077) !== 0)
    throw new AgentError('file_not_private', `${folder} is open to others; chmod 700 it`)
}
