import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditLog, openAuditLog } from '../../src/audit/audit-log.js'
import { systemClock } from '../../src/clock.js'
import { openEvidenceDesk } from '../../src/evidence/evidence-desk.js'
import { createReporter } from '../../src/evidence/reporter.js'
import { createSessions } from '../../src/session/app.js'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import type { Store } from '../../src/store/store.js'
import { fresh, testKeys } from '../boot.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { submittedPair } from '../session/participant.js'
import { CONTRACT, LIMITS, testRelay } from '../session/test-relay.js'

// A process that confers over a store on the disk and, once all inputs are there, ends itself at one commit of its log as a power
// cut would: DIRECTORY, the number of that commit, before or after it is made.
const [directory = '', at = '', when = ''] = process.argv.slice(2)
const COMMITS = 4
const state = { isArmed: false, begun: 0, made: 0 }

const die = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const dying = (inner: Store): Store => ({
  ...inner,
  commit: async (writes) => {
    // The hardware path follows the receipt in a commit of its own, whenever it is there.
    if (!state.isArmed || writes.every(({ kind }) => kind !== 'append')) return inner.commit(writes)
    const isLast = String(state.begun++) === at
    if (isLast && when === 'before') die()
    await inner.commit(writes)
    if (isLast) die()
    state.made++
  },
})

/** The first record of the session's effects begins the count. */
const watched = (audit: AuditLog): AuditLog => ({
  ...audit,
  append: (event, withProof) => {
    if (event.event === 'session.created')
      writeFileSync(join(directory, 'session'), JSON.stringify([event.fields.session_id, keys.keyset.epoch]))
    if (event.event === 'run.started') state.isArmed = true
    return audit.append(event, withProof)
  },
})

const { deps: model, ...rest } = testRelay()
const clock = systemClock()
const bundle = { ...model.bundle, limits: { ...LIMITS, tick_ms: 10, release_slot_ms: 100 } }
const keys = testKeys('software', clock.nowSeconds(), bundle)
const { keysetDigest, receiptKey } = keys
const binder = { lane: 'software', keysetDigest, receiptKey, collector: null, random: fresh } as const
const reporter = createReporter(binder, 0, clock, model.log)
const store = dying(openLmdbStore(join(directory, 'store')))
const deps = {
  ...model,
  ...(await openEvidenceDesk(keys, reporter)),
  ...{ keys, store, reporter, bundle, clock },
  audit: watched(openAuditLog({ keys, store, clock, random: fresh })),
  evaluator: {
    ...inProcessEvaluator,
    evaluate: (job: Parameters<typeof inProcessEvaluator.evaluate>[0]) => {
      writeFileSync(join(directory, 'evaluated'), '')
      return inProcessEvaluator.evaluate(job)
    },
  },
}
const relay = {
  ...rest,
  deps,
  clock: { ...clock, advance: (ms: number) => sleep(ms) },
  sessions: createSessions(deps),
  wait: <T>(pending: Promise<T>) => pending,
}
await submittedPair(relay, CONTRACT)
while (state.made < COMMITS) await sleep(5)
await relay.sessions.close()
