import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkDataFlow,
  type Classification,
  type EvidencePort,
  type IngressPorts,
  isWithin,
  macKey,
  TokenBuckets,
} from '@parley/guardian'
import type { Lane } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { ApprovalFolder } from '../approvals/approval-folder.js'
import { saltsPath } from '../audit/erase-subject.js'
import { homeLog } from '../audit/home-log.js'
import { OwnLog } from '../audit/own-log.js'
import { recordedConsent } from '../audit/recorded-consent.js'
import { SubjectSalts } from '../audit/subject-salts.js'
import { nowSeconds } from '../clock.js'
import { withFileLock } from '../file-lock.js'
import { consentPort } from '../grants/consent-port.js'
import { GrantFolder } from '../grants/grant-folder.js'
import type { Identity } from '../identity.js'
import { type A2aPaths, a2aPaths } from './a2a-paths.js'
import { boundedRejections } from './bounded-rejections.js'
import { ownInstanceId } from './instance-id.js'
import { OriginFiles } from './origin-files.js'
import { createReceive } from './receive-task.js'
import type { ReceiverClock } from './receiver-clock.js'
import { ReplayFile } from './replay-file.js'
import { clearScratch } from './scratch.js'
import { settleRuns } from './settle-runs.js'
import { createTaskApp } from './task-app.js'
import { openTaskListener, type TaskAddress } from './task-listener.js'
import { Turns } from './turns.js'
import { WorkGate } from './work-gate.js'
import { workData, workRules } from './work-policy.js'
import type { Worker } from './worker.js'

const LANE: Lane = 'software'
const MOST_AT_ONCE = 4
// A receiver that was killed leaves its lock behind, which is broken at the first attempt or two.
const LOCK_ATTEMPTS = 25
const APPROVAL_SECONDS = 120
const RUNS = 60

/** Whose receiver it is, what works for it, and where it listens. */
export type ReceiverSettings = {
  readonly home: string
  readonly identity: Identity
  /** null: tasks are recorded and run by nobody, whatever an origin grants. */
  readonly worker: Worker | null
  readonly address: TaskAddress
  readonly clock: ReceiverClock
  /** Seconds that an approval is waited for, 900 at most; 120 unless said. */
  readonly approvalSeconds?: number
  /** How often a minute the worker may run for one origin; 60 unless said. */
  readonly runsPerMinute?: number
  /** Evidence that takes the place of the home's own log. */
  readonly evidence?: (own: EvidencePort) => EvidencePort
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
  const { home, identity, clock } = settings
  await requirePrivate(paths.folder)
  await clearScratch(paths.scratch)
  const instance_id = await ownInstanceId(paths.instanceId)
  return OwnLog.use(homeLog(home, identity, 'received'), clock, (received) =>
    OwnLog.use(homeLog(home, identity, 'own'), clock, async (own) => {
      const evidence = settings.evidence?.(own.append.bind(own)) ?? own.append.bind(own)
      await settleRuns(own.read(), evidence)
      const replay = await ReplayFile.open(paths.nonces)
      const closing = new AbortController()
      const audit = boundedRejections(received, clock.monotonicMs)
      try {
        const ports = portsOf(settings, paths, { instance_id, audit, own, replay })
        const services = { ports: settings.ports?.(ports) ?? ports, evidence, closing: closing.signal }
        return await listen(settings, paths, services, use)
      } finally {
        closing.abort()
        await replay.close()
        await audit.flush()
      }
    }),
  )
}

type Services = {
  readonly ports: IngressPorts
  readonly evidence: EvidencePort
  readonly closing: AbortSignal
}

const listen = async <T>(
  settings: ReceiverSettings,
  paths: A2aPaths,
  services: Services,
  use: (receiver: RunningReceiver) => Promise<T>,
): Promise<T> => {
  const { worker, clock, address } = settings
  const { ports, closing } = services
  const { audit, receiver } = ports
  const gate = gateOf(settings, paths, services)
  const turns = new Turns(MOST_AT_ONCE)
  const runner = worker === null ? null : { worker, gate, audit, scratchRoot: paths.scratch, turns }
  const receive = createReceive({ ports, runner, clock, closing })
  const { instance_id } = receiver
  const listener = await openTaskListener(address, createTaskApp({ receive, instance_id, clock }))
  try {
    return await use({ url: listener.url, instance_id })
  } finally {
    await listener.close()
  }
}

const gateOf = (
  { home, identity, clock, approvalSeconds = APPROVAL_SECONDS, runsPerMinute = RUNS }: ReceiverSettings,
  { origins }: A2aPaths,
  { evidence }: Services,
): WorkGate => {
  const files = new OriginFiles(origins)
  const parties = { approvers: [identity.did], audience: identity.did }
  return new WorkGate({
    own: identity.did,
    senderOf: (id) => files.senderOf(id),
    evidence,
    approvals: new ApprovalFolder(join(home, 'approvals'), clock, parties),
    rules: () => workRules(policyPath(home)),
    clock,
    approvalSeconds,
    runsPerMinute,
  })
}

type Stores = Pick<IngressPorts, 'audit'> & {
  readonly instance_id: string
  readonly own: OwnLog
  readonly replay: ReplayFile
}

const portsOf = (
  settings: ReceiverSettings,
  paths: A2aPaths,
  { instance_id, audit, own, replay }: Stores,
): IngressPorts => {
  const { home, identity, clock } = settings
  const origins = new OriginFiles(paths.origins)
  const consent = consentPort({
    folder: new GrantFolder(join(home, 'grants'), clock),
    clock,
    audience: identity.did,
    senderOf: (id) => Promise.resolve(origins.senderOf(id)),
  })
  return {
    receiver: { lane: LANE, instance_id, key: identity.key, decoy: macKey(randomBytes(32)) },
    clock: { nowSeconds: () => nowSeconds(clock), monotonicMs: clock.monotonicMs },
    origins: { find: (id) => Promise.resolve(origins.find(id)) },
    rate: new TokenBuckets(),
    replay,
    audit,
    dataFlow: { allows: ({ classification }) => mayFlow(settings, own, classification) },
    consent: recordedConsent(consent, own, new SubjectSalts(saltsPath(home))),
  }
}

/** Whether the worker may see data of a label, by the policy as it is now; what may not is on record. */
const mayFlow = async (
  { home, worker }: ReceiverSettings,
  own: OwnLog,
  label: Classification,
): Promise<boolean> => {
  // Where nothing works, data goes nowhere.
  if (worker === null) return true
  const { engine_id, most } = worker
  const flow = checkDataFlow(workData(policyPath(home)), { label, engine: engine_id })
  if (flow.ok && isWithin(label, most)) return true
  const reason = flow.ok ? 'label_not_for_engine' : flow.code
  await own.append({ event: 'data_flow.blocked', fields: { engine_id, label, reason } })
  return false
}

/** The rules that a home has in the place of the usual ones. */
const policyPath = (home: string): string => join(home, 'policy')

/** Who may write into the folder may pair with us. */
const requirePrivate = async (folder: string): Promise<void> => {
  if (((await stat(folder)).mode & 0o077) !== 0)
    throw new AgentError('file_not_private', `${folder} is open to others; chmod 700 it`)
}
