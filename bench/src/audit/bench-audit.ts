import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AuditLog,
  loadPolicyBundle,
  makeRelayKeys,
  openAuditLog,
  openRelayStore,
  systemClock,
} from '@parley/enclave'
import { type AuditEvent, canonicalBytes, type Lane, logOrigin, openCheckpoint } from '@parley/protocol'
import { type Candidate, type Contest, inProcess } from '../candidate.js'
import { bareAppend } from './bare-append.js'

const POLICY_DIRECTORY = fileURLToPath(new URL('../../../infra/policy', import.meta.url))
const GROUP = 64
const EVENT: AuditEvent = {
  event: 'session.created',
  fields: { session_id: 'a'.repeat(64), contract_hash: 'c'.repeat(64) },
}

/** Appends that come together, as those of concurrent sessions do; given for one. */
const inGroups = (audit: AuditLog): Candidate => ({
  name: `the log, ${GROUP} together`,
  cpu: async (times) => {
    const before = process.cpuUsage()
    for (let left = times; left > 0; left -= GROUP)
      await Promise.all(Array.from({ length: Math.min(left, GROUP) }, () => audit.append(EVENT)))
    const { user, system } = process.cpuUsage(before)
    return user + system
  },
})

/** A log over the store of a lane, and what closes it. */
const openLog = async (lane: Lane, directory: string) => {
  const clock = systemClock()
  const random = (size: number): Uint8Array => new Uint8Array(randomBytes(size))
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, lane)
  const terms = { keyId: 1, bundle, image_digest: null, previous: null, now: clock.nowSeconds() }
  const keys = makeRelayKeys(terms, random)
  const store = await openRelayStore({
    ...{ profile: lane, directory, epoch: keys.keyset.epoch, sealingKey: keys.sealingKey, lasting: false },
    ...{ random, log: () => undefined },
  })
  return { audit: openAuditLog({ keys, store, clock, random }), keys, store }
}

type OpenLog = Awaited<ReturnType<typeof openLog>>

/** One entry is under a checkpoint of the log's key, and of no other. */
const assertProven = async ({ audit, keys }: OpenLog, other: OpenLog): Promise<Uint8Array> => {
  const { opening, checkpoint } = await audit.append(EVENT)
  const origin = logOrigin(keys.keyset.epoch)
  openCheckpoint(checkpoint, { origin, publicKey: keys.logKey.publicKey })
  const isForeign = (): boolean => {
    try {
      openCheckpoint(checkpoint, { origin, publicKey: other.keys.logKey.publicKey })
      return true
    } catch {
      return false
    }
  }
  if (isForeign()) throw new Error('a checkpoint is of any key')
  return canonicalBytes(opening)
}

/** What an entry costs on its way to the disk, alone and in a group, against bare hash, signature and flush. */
export async function* benchAudit(): AsyncGenerator<Contest> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const [plain, sealed] = [await openLog('software', folder), await openLog('confidential', folder)]
  try {
    const entry = await assertProven(plain, sealed)
    await assertProven(sealed, plain)
    const one =
      ({ audit }: OpenLog) =>
      (): Promise<void> =>
        audit.append(EVENT).then(() => undefined)
    yield {
      title: `audit log: an entry of ${entry.length} bytes, durable, with its proof`,
      floor: inProcess(
        'bare: SHA-256, Ed25519 sign, write, fdatasync',
        bareAppend(join(folder, 'bare'), entry),
      ),
      rivals: [
        inProcess('the log, one entry at a time', one(plain)),
        inGroups(plain.audit),
        inProcess('the sealed log, one entry at a time', one(sealed)),
        { ...inGroups(sealed.audit), name: `the sealed log, ${GROUP} together` },
      ],
      notes: () => [`${GROUP} entries that come together share one flush, one checkpoint and one signature`],
    }
  } finally {
    await plain.store.close()
    await sealed.store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
