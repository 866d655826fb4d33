import { randomBytes } from 'node:crypto'
import {
  type AuditEvent,
  fromBase64url,
  logOrigin,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseKeyset,
  signCheckpoint,
  utf8,
} from '@parley/protocol'
import { type AuditReport, type Held, parseHeld, verifyAudit } from '@parley/verifier'
import { describe, expect, test } from 'vitest'
import { type AuditProof, openAuditLog } from '../../src/audit/audit-log.js'
import { beginLog } from '../../src/audit/begin-log.js'
import { type ExportedLog, exportLogs } from '../../src/audit/export-logs.js'
import type { RelayKeys } from '../../src/keys/relay-keys.js'
import { openLastingStore } from '../../src/store/lasting-store.js'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import { sealStore } from '../../src/store/sealed-store.js'
import type { Store } from '../../src/store/store.js'
import { fresh, temporaryDirectory, testKeys } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { memoryStore } from '../session/memory-store.js'

const created = (): AuditEvent => ({
  event: 'session.created',
  fields: { session_id: randomBytes(32).toString('hex'), contract_hash: 'c'.repeat(64) },
})

/** An epoch of a relay over a store: its start and three sessions. */
const epochOver = async (store: Store, keys: RelayKeys): Promise<readonly AuditProof[]> => {
  const audit = openAuditLog({ keys, store, clock: fakeClock(), random: fresh })
  await beginLog(audit, store, keys, keys.keyset.lane)
  return [await audit.append(created()), await audit.append(created()), await audit.append(created())]
}

const LANES = [
  ['software', (disk: Store) => disk],
  ['confidential', (disk: Store) => sealStore(disk, fresh(32), fresh)],
] as const

const judged = (exported: ExportedLog, ...held: readonly Held[]): AuditReport => {
  const { epoch, lane, log_key } = parseKeyset(parseCanonicalJson(exported.keyset))
  return verifyAudit({
    lane,
    origin: logOrigin(epoch),
    key: parseEd25519PublicKey(fromBase64url(log_key, 32)),
    log: { name: 'audit.log', lines: exported.lines },
    held: [parseHeld('checkpoint', exported.checkpoint), ...held],
  })
}

const heldProof = ({ opening, checkpoint, ...claim }: AuditProof): Held => ({
  name: 'mine',
  checkpoint,
  inclusion: { opening, ...claim },
  earlier: null,
  relay: null,
})

describe.each(LANES)('the log of a %s relay', (lane, storeOver) => {
  const disk = memoryStore()
  const keys = testKeys(lane)
  const epoch = epochOver(storeOver(disk), keys)
  const exported = async (): Promise<ExportedLog> => {
    await epoch
    const [log] = exportLogs(disk, lane === 'confidential')
    if (log === undefined) throw new Error('no log')
    return log
  }

  test('is exported whole, with the checkpoint over it and the key to judge it by', async () => {
    const report = judged(await exported())
    expect(report.checks.filter(({ code }) => code !== null)).toEqual([])
    expect(report).toMatchObject({ holds: true, size: 4 })
    expect(report.checks[0]?.check).toBe(lane === 'software' ? 'chain' : 'leaves')
  })

  test('goes with the proofs that participants hold', async () => {
    const proofs = await epoch
    expect(judged(await exported(), ...proofs.map(heldProof)).holds).toBe(true)
  })

  test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    ['that was cut', (lines) => lines.slice(0, -1), 'log_truncated'],
    [
      'that has an entry twice at its end',
      ([a = '', b = '', c = '']) => [a, b, c, c],
      lane === 'software' ? 'sequence_broken' : 'log_differs',
    ],
    ['that has a line of another kind', ([a = '', b = '', c = '']) => [a, b, c, '{}'], 'record_malformed'],
    ['that is no JSON', ([a = '', b = '', c = '']) => [a, b, c, 'x'], 'record_malformed'],
    [
      'of which a leaf was changed',
      (lines) => lines.map((line, at) => (at === 3 ? `{"leaf_hash":"${'0'.repeat(64)}","sealed":""}` : line)),
      lane === 'software' ? 'record_malformed' : 'log_differs',
    ],
  ])('%s is found out', async (_, change, code) => {
    const log = await exported()
    const report = judged({ ...log, lines: change(log.lines) })
    expect(report.holds).toBe(false)
    expect(report.checks.map((each) => each.code)).toContain(code)
  })

  test('a checkpoint of another key is of no log', async () => {
    const other = testKeys(lane)
    const origin = logOrigin(keys.keyset.epoch)
    const forged = signCheckpoint({ origin, size: 0, root: fresh(32) }, other.logKey)
    expect(judged({ ...(await exported()), checkpoint: utf8(forged) }).exit_code).toBe(2)
  })
})

test('what is exported of a sealed log shows nothing of an entry', async () => {
  const disk = memoryStore()
  const proofs = await epochOver(sealStore(disk, fresh(32), fresh), testKeys('confidential'))
  const text = exportLogs(disk, true)
    .flatMap(({ lines }) => lines)
    .join('\n')
  for (const { opening, leaf_hash } of proofs) {
    expect(text).toContain(leaf_hash)
    const { fields, event } = opening.entry
    for (const secret of [event, opening.salt, ...Object.values<unknown>(fields)].map(String))
      expect(text).not.toContain(secret)
  }
})

test('a store that lasts gives the log of each epoch, and each is judged by its own key', async () => {
  const directory = temporaryDirectory()
  const sealingKey = fresh(32)
  for (const keys of [testKeys('confidential'), testKeys('confidential')]) {
    const store = openLastingStore(openLmdbStore(directory), sealingKey, fresh)
    await epochOver(store, keys)
    await store.close()
  }
  const disk = openLmdbStore(directory, { readOnly: true })
  const logs = exportLogs(disk, true)
  expect(logs.map((log) => judged(log).holds)).toEqual([true, true])
  expect(new Set(logs.map(({ epoch }) => epoch)).size).toBe(2)
  await disk.close()
})

test('a log without a checkpoint, and a keyset that is none, are record_altered or refused', async () => {
  const disk = memoryStore()
  await epochOver(disk, testKeys())
  const [log] = exportLogs(disk, false)
  disk.records.delete(`checkpoint/${log?.epoch ?? ''}`)
  expect(() => exportLogs(disk, false)).toThrow(expect.objectContaining({ code: 'record_altered' }))
  const odd = { ...disk, log: () => [utf8('{}')] }
  expect(() => exportLogs(odd, false)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
})

test('the leaf that the disk shows is bound to what is sealed: another one does not open', async () => {
  const disk = memoryStore()
  const keys = testKeys('confidential')
  const store = sealStore(disk, fresh(32), fresh)
  await epochOver(store, keys)
  const name = `audit/${keys.keyset.epoch}`
  const [first = new Uint8Array()] = disk.log(name)
  expect(Array.from(store.log(name))).toHaveLength(4)
  first[2] = (first[2] ?? 0) ^ 1
  expect(() => Array.from(store.log(name))).toThrow(expect.objectContaining({ code: 'record_altered' }))
})
