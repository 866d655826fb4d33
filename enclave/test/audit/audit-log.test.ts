import {
  AUDIT_GENESIS,
  auditEntryHash,
  auditLeaf,
  fromHex,
  logOrigin,
  openCheckpoint,
  parseAuditEntry,
  parseCanonicalJson,
  rootFromInclusion,
  toHex,
  verifyConsistency,
  MerkleTree,
} from '@parley/protocol'
import { expect, test } from 'vitest'
import { type AuditEvent, type AuditProof, openAuditLog } from '../../src/audit/audit-log.js'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import { bytes, fresh, temporaryDirectory, testKeys } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { memoryStore } from '../session/memory-store.js'

const keys = testKeys()
const { epoch } = keys.keyset
const expected = { origin: logOrigin(epoch), publicKey: keys.logKey.publicKey }
const created = (): AuditEvent => ({
  event: 'session.created',
  fields: { session_id: toHex(fresh(32)), contract_hash: toHex(fresh(32)) },
})
const log = (store = memoryStore()) => ({
  store,
  audit: openAuditLog({ keys, store, clock: fakeClock(), random: fresh }),
})

function check({ opening, leaf_index, leaf_hash, path, checkpoint }: AuditProof): {
  size: number
  root: Uint8Array
} {
  const head = openCheckpoint(checkpoint, expected)
  expect(toHex(auditLeaf('software', opening))).toBe(leaf_hash)
  const root = rootFromInclusion({
    leafHash: fromHex(leaf_hash, 32),
    index: leaf_index,
    size: head.size,
    path: path.map((node) => fromHex(node, 32)),
  })
  expect(root).toEqual(head.root)
  return head
}

test('each of 200 entries is in the log under the checkpoint that it came with, and the log only grows', async () => {
  const { audit } = log()
  const tree = new MerkleTree()
  let previous = AUDIT_GENESIS
  let before: { size: number; root: Uint8Array } | undefined
  for (let seq = 0; seq < 200; seq++) {
    const proof = await audit.append(created())
    const head = check(proof)
    tree.append(fromHex(proof.leaf_hash, 32))
    expect(head.size).toBe(seq + 1)
    expect(proof.opening.entry).toMatchObject({ seq, previous })
    expect(audit.checkpoint()).toBe(proof.checkpoint)
    if (before)
      verifyConsistency({
        firstSize: before.size,
        firstRoot: before.root,
        secondSize: head.size,
        secondRoot: head.root,
        path: tree.consistencyPath(before.size),
      })
    before = head
    previous = auditEntryHash('software', proof.opening.entry)
  }
})

test('an entry is on the disk before its append resolves', async () => {
  const store = openLmdbStore(temporaryDirectory())
  const audit = openAuditLog({ keys, store, clock: fakeClock(), random: fresh })
  const proof = await audit.append(created())
  const entries = Array.from(store.log(`audit/${epoch}`), (entry) => parseCanonicalJson(entry))
  expect(entries).toEqual([proof.opening])
  await store.close()
})

test('appends that come at once stand one after the other', async () => {
  const { audit } = log()
  const proofs = await Promise.all(Array.from({ length: 10 }, () => audit.append(created())))
  expect(proofs.map(({ leaf_index }) => leaf_index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  proofs.forEach(check)
})

test('further writes share the transaction of their entry, and see its proof', async () => {
  const { store, audit } = log()
  let seen: AuditProof | undefined
  const proof = await audit.append(created(), (given) => {
    seen = given
    return [{ kind: 'put', key: 'receipt', value: bytes('1') }]
  })
  expect(seen).toEqual(proof)
  expect(store.get('receipt')).toEqual(bytes('1'))
  expect(store.seen).toHaveLength(1)
})

test('the empty log has a checkpoint', () => {
  expect(openCheckpoint(log().audit.checkpoint(), expected).size).toBe(0)
})

test.each([
  ['the store fails', 'store_failed', true],
  ['a further write conflicts', 'store_conflict', false],
])('when %s, the log is as it was, and goes on', async (_, code, failing) => {
  const { store, audit } = log()
  const first = await audit.append(created(), () => [{ kind: 'put', key: 'a', value: bytes('1') }])
  store.failures = failing ? 1 : 0
  const refused = audit.append(created(), () => [
    { kind: 'put', key: 'a', value: bytes('2'), expect: 'absent' },
  ])
  await expect(refused).rejects.toMatchObject({ code })
  expect(audit.checkpoint()).toBe(first.checkpoint)
  const next = await audit.append(created())
  expect(check(next).size).toBe(2)
  expect(next.opening.entry.previous).toBe(auditEntryHash('software', first.opening.entry))
})

test('when the further writes cannot be made, the log is as it was', async () => {
  const { store, audit } = log()
  const empty = audit.checkpoint()
  const refused = audit.append(created(), () => {
    throw new Error('no receipt')
  })
  await expect(refused).rejects.toThrow('no receipt')
  expect(audit.checkpoint()).toBe(empty)
  expect(store.seen).toEqual([])
  expect(check(await audit.append(created())).size).toBe(1)
})

test('appends that wait together share one commit and one checkpoint, and each has its proof under it', async () => {
  const { store, audit } = log()
  const proofs = await Promise.all(Array.from({ length: 10 }, () => audit.append(created())))
  expect(store.seen).toHaveLength(1)
  expect(new Set(proofs.map(({ checkpoint }) => checkpoint))).toEqual(new Set([audit.checkpoint()]))
  expect(proofs.map((proof) => check(proof).size)).toEqual(new Array(10).fill(10))
})

test('appends that come while a commit is under way share the next one', async () => {
  const { store, audit } = log()
  const later: Promise<AuditProof>[] = []
  const first = audit.append(created(), () => {
    later.push(audit.append(created()), audit.append(created()))
    return []
  })
  expect((await first).leaf_index).toBe(0)
  expect((await Promise.all(later)).map(({ leaf_index }) => leaf_index)).toEqual([1, 2])
  expect(store.seen).toHaveLength(2)
})

test('of a group one cannot be written, and the others are', async () => {
  const { store, audit } = log()
  await audit.append(created(), () => [{ kind: 'put', key: 'a', value: bytes('1') }])
  const results = await Promise.allSettled([
    audit.append(created()),
    audit.append(created(), () => [{ kind: 'put', key: 'a', value: bytes('2'), expect: 'absent' }]),
    audit.append(created(), () => {
      throw new Error('no receipt')
    }),
    audit.append(created()),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  const indexes = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.leaf_index] : [],
  )
  expect(indexes).toEqual([1, 2])
  for (const result of results) if (result.status === 'fulfilled') check(result.value)
  expect(Array.from(store.log(`audit/${epoch}`))).toHaveLength(3)
})

test('a disk that fails, fails the whole group, and the log is as it was', async () => {
  const { store, audit } = log()
  const { checkpoint } = await audit.append(created())
  store.failures = 1
  const results = await Promise.allSettled([audit.append(created()), audit.append(created())])
  for (const result of results) expect(result).toMatchObject({ reason: { code: 'store_failed' } })
  expect(audit.checkpoint()).toBe(checkpoint)
  expect(check(await audit.append(created())).size).toBe(2)
})

test('the latest checkpoint is on the disk with its entries', async () => {
  const { store, audit } = log()
  await audit.append(created())
  expect(store.get(`checkpoint/${epoch}`)).toEqual(bytes(audit.checkpoint()))
})

test('an event outside the closed list is refused as object_malformed, and not written', async () => {
  const { store, audit } = log()
  const invented = { event: 'session.created', fields: { ceiling: 12 } } as unknown as AuditEvent
  await expect(audit.append(invented)).rejects.toMatchObject({ code: 'object_malformed' })
  expect(store.seen).toEqual([])
})

test('the same event twice has two different leaves, since each has a salt', async () => {
  const { audit } = log()
  const event = created()
  const [one, two] = [await audit.append(event), await audit.append(event)]
  expect(one.opening.salt).not.toBe(two.opening.salt)
  expect(parseAuditEntry(one.opening.entry)).toEqual(one.opening.entry)
})

test('a restart begins a chain of its own beside the old one', async () => {
  const store = memoryStore()
  await log(store).audit.append(created())
  const next = testKeys()
  const audit = openAuditLog({ keys: next, store, clock: fakeClock(), random: fresh })
  const proof = await audit.append(created())
  expect(proof.leaf_index).toBe(0)
  expect(proof.opening.entry.previous).toBe(AUDIT_GENESIS)
  expect(() => openCheckpoint(proof.checkpoint, expected)).toThrow(
    expect.objectContaining({ code: 'signature_invalid' }),
  )
  expect(Array.from(store.log(`audit/${epoch}`))).toHaveLength(1)
})
