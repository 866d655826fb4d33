import {
  canonicalBytes,
  type Erased,
  fromBase64url,
  logOrigin,
  parseBundle,
  parseCanonicalJson,
  parseEd25519PublicKey,
  parseErased,
  parseKeyset,
} from '@parley/protocol'
import { type AuditReport, type Held, parseHeld, verifyAudit } from '@parley/verifier'
import { describe, expect, test } from 'vitest'
import type { AuditLog } from '../../src/audit/audit-log.js'
import { beginLog } from '../../src/audit/begin-log.js'
import { type ExportedLog, exportLogs } from '../../src/audit/export-logs.js'
import { readRecord } from '../../src/release/session-record.js'
import { createSessions } from '../../src/session/app.js'
import { memoryStore } from '../session/memory-store.js'
import { good, type Pair, Participant, pairOf, type Reply, submittedPair } from '../session/participant.js'
import { CONTRACT, LIMITS, testRelay, type TestRelay } from '../session/test-relay.js'

const LANES = ['software', 'confidential'] as const
const TTL_MS = LIMITS.session_ttl_seconds * 1000
const NONE = { session: 'none', offer: 'none', role: 'initiator' } as const

const opened = async (options: Parameters<typeof testRelay>[0] = {}): Promise<TestRelay> => {
  const relay = testRelay(options)
  const { audit, store, keys } = relay.deps
  await beginLog(audit, store, keys, relay.lane)
  return relay
}

const ask = (who: Participant, body: object = {}): Promise<Reply> =>
  who.send('POST', '/v1/erasure', { ...body }, NONE)
const erase = async (who: Participant): Promise<Erased> => parseErased(good(await ask(who)))

type Done = Pair & { readonly id: string; readonly held: readonly Held[] }

/** A whole session, and the bundles that its participants keep. */
const conferred = async (relay: TestRelay, pair = pairOf(relay)): Promise<Done> => {
  const { buyer, seller } = await submittedPair(relay, CONTRACT, undefined, pair)
  const bundles = [await buyer.bundle(), await seller.bundle()].map((each) =>
    canonicalBytes(parseBundle(each)),
  )
  const held = bundles.map((bytes, at) => parseHeld(`bundle ${at}`, bytes))
  return { buyer, seller, id: buyer.session ?? '', held }
}

const judged = ({ keyset, checkpoint, lines }: ExportedLog, held: readonly Held[]): AuditReport => {
  const { epoch, lane, log_key } = parseKeyset(parseCanonicalJson(keyset))
  return verifyAudit({
    lane,
    origin: logOrigin(epoch),
    key: parseEd25519PublicKey(fromBase64url(log_key, 32)),
    log: { name: 'audit.log', lines },
    held: [parseHeld('checkpoint', checkpoint), ...held],
  })
}

const logsOf = ({ disk, lane }: TestRelay): readonly ExportedLog[] =>
  exportLogs(disk, lane === 'confidential')
const linesOf = ({ deps: { store, keys } }: TestRelay): readonly string[] =>
  Array.from(store.log(`audit/${keys.keyset.epoch}`), (entry) => Buffer.from(entry).toString())
const entriesOf = (relay: TestRelay): string => linesOf(relay).join('\n')
const inboxOf = async (who: Participant) =>
  good(await who.send('GET', '/v1/inbox/0', undefined, NONE)) as { last: number; events: object[] }

describe.each(LANES)('a participant of a %s relay that asks to be forgotten', (lane) => {
  test('is: record, entries and inbox are gone, and log, checkpoints and proofs still hold', async () => {
    const relay = await opened({ lane })
    const { buyer, seller, id, held } = await conferred(relay)
    const earlier = logsOf(relay)[0]?.checkpoint ?? new Uint8Array()
    expect(entriesOf(relay)).toContain(id)
    await relay.clock.advance(TTL_MS)
    const entries = linesOf(relay)
    const records = entries.filter((line) => line.includes(id)).length
    expect(records).toBeGreaterThanOrEqual(7)
    expect(await erase(buyer)).toEqual({ sessions: 1, records, open: 0 })

    expect(entriesOf(relay)).not.toContain(id)
    expect(readRecord(relay.deps.store, id)).toBeUndefined()
    for (const who of [buyer, seller]) who.refused(await who.result(), 'session_unknown')
    expect(await inboxOf(buyer)).toMatchObject({ last: 0, events: [] })
    expect((await inboxOf(seller)).last).toBeGreaterThan(0)
    const [log] = logsOf(relay)
    if (log === undefined) throw new Error('no log')
    expect(judged(log, [...held, parseHeld('earlier', earlier)])).toMatchObject({
      holds: true,
      size: entries.length + 1,
    })
  })

  test('is not as long as a session goes on, or the other may still fetch its result', async () => {
    const relay = await opened({ lane })
    const { buyer, id } = await conferred(relay)
    const before = entriesOf(relay)
    expect(await erase(buyer)).toEqual({ sessions: 0, records: 0, open: 1 })
    expect(entriesOf(relay)).toBe(before)
    await relay.clock.advance(TTL_MS)
    await buyer.created(CONTRACT, null)
    expect(await erase(buyer)).toMatchObject({ sessions: 1, open: 1 })
    expect(readRecord(relay.deps.store, id)).toBeUndefined()
    // What tells of the session that goes on stays.
    expect((await inboxOf(buyer)).last).toBeGreaterThan(0)
  })

  test('takes nobody else along: the sessions of others stay', async () => {
    const relay = await opened({ lane })
    const { buyer, seller } = await conferred(relay)
    const other = new Participant(relay, 'initiator')
    const theirs = await conferred(relay, { buyer: other, seller })
    await relay.clock.advance(TTL_MS)
    expect(await erase(buyer)).toMatchObject({ sessions: 1, open: 0 })
    expect(readRecord(relay.deps.store, theirs.id)).toBeDefined()
    good(await other.result())
  })

  test('begins anew: what happens to the key from then on is numbered from 1', async () => {
    const relay = await opened({ lane })
    const { buyer } = await conferred(relay)
    await relay.clock.advance(TTL_MS)
    await erase(buyer)
    const next = await conferred(relay, { buyer, seller: new Participant(relay, 'responder') })
    const { events } = await inboxOf(buyer)
    expect(events[0]).toMatchObject({ seq: 1, session_id: next.id })
  })

  test('of whom nothing is held changes nothing', async () => {
    const relay = await opened({ lane })
    await conferred(relay)
    await relay.clock.advance(TTL_MS)
    const [writes, stranger] = [relay.disk.seen.length, new Participant(relay, 'initiator')]
    expect(await erase(stranger)).toEqual({ sessions: 0, records: 0, open: 0 })
    expect(relay.disk.seen).toHaveLength(writes)
  })

  test('is told nothing was done where the disk fails, and all is as it was', async () => {
    const relay = await opened({ lane })
    const { buyer, id, held } = await conferred(relay)
    await relay.clock.advance(TTL_MS)
    relay.disk.failures = 1
    buyer.refused(await ask(buyer), 'relay_failed')
    expect(readRecord(relay.deps.store, id)).toBeDefined()
    expect(entriesOf(relay)).toContain(id)
    const [log] = logsOf(relay)
    expect(log && judged(log, held).holds).toBe(true)
  })
})

test('a session that ends while an erasure is under way keeps its notices', async () => {
  const relay = await opened()
  const ending: { now: () => Promise<unknown> } = { now: () => Promise.resolve() }
  const audit: AuditLog = {
    ...relay.deps.audit,
    append: async (event, withProof) => {
      if (event.event === 'erasure.applied') await ending.now()
      return relay.deps.audit.append(event, withProof)
    },
  }
  const deps = { ...relay.deps, audit }
  const raced: TestRelay = { ...relay, deps, sessions: createSessions(deps) }
  const { buyer } = await conferred(raced)
  await relay.clock.advance(TTL_MS)
  await buyer.created(CONTRACT, null)
  ending.now = () => buyer.cancel()
  expect(await erase(buyer)).toMatchObject({ sessions: 1, open: 1 })
  const { last, events } = await inboxOf(buyer)
  expect(last).toBeGreaterThan(1)
  expect(events).toContainEqual(expect.objectContaining({ session_id: buyer.session }))
})

test('what is left in the log tells of nobody: another pseudonym each time, and no salt of it is kept', async () => {
  const relay = await opened()
  const { buyer } = await conferred(relay)
  const again = await conferred(relay, pairOf(relay))
  await relay.clock.advance(TTL_MS)
  await erase(buyer)
  await erase(again.buyer)
  const told = relay.audit.events.filter(({ event }) => event === 'erasure.applied')
  expect(told).toHaveLength(2)
  expect(new Set(told.map(({ fields }) => ('subject' in fields ? fields.subject : ''))).size).toBe(2)
  const key = buyer.did.slice(buyer.did.lastIndexOf(':') + 1)
  // The ledger stays.
  const left = [...relay.disk.records.keys()].filter((name) => name.includes(key))
  expect(left.filter((name) => /^(?:session|inbox|acquaintance)/.test(name))).toEqual([])
  expect(entriesOf(relay)).not.toContain(buyer.did)
})

test('an erasure reaches the logs of earlier epochs, and each holds under its own key', async () => {
  const disk = memoryStore()
  const first = await opened({ disk })
  const { buyer, id, held } = await conferred(first)
  const before = linesOf(first)
  const second = await opened({ disk })
  const after = new Participant(second, 'initiator', buyer.key)
  await second.clock.advance(TTL_MS + 60_000)
  const records = before.filter((line) => line.includes(id)).length
  expect(await erase(after)).toEqual({ sessions: 1, records, open: 0 })
  const logs = logsOf(second)
  expect(logs).toHaveLength(2)
  const [old, own] = logs.map((log, at) => judged(log, at === 0 ? held : []))
  expect([old?.holds, own?.holds]).toEqual([true, true])
  expect(old?.size).toBe(before.length + 1)
})

test('more entries erased than an erasure tells of are found out', async () => {
  const relay = await opened()
  const { buyer } = await conferred(relay)
  await relay.clock.advance(TTL_MS)
  await erase(buyer)
  const [log] = logsOf(relay)
  if (log === undefined) throw new Error('no log')
  const lines = log.lines.filter((line) => !line.includes('erasure.applied'))
  expect(judged({ ...log, lines }, []).checks.map(({ code }) => code)).toContain('erasure_unrecorded')
})

test.each([
  ['with a body that says more', { did: 'did:oas:self:agent:z' }, NONE],
  ['in a session', {}, { ...NONE, session: 'a'.repeat(64) }],
])('a request %s is refused as request_malformed', async (_, body, twist) => {
  const relay = await opened()
  const { buyer } = pairOf(relay)
  buyer.refused(await buyer.send('POST', '/v1/erasure', body, twist), 'request_malformed')
})

test('the key alone counts: nobody erases by another one', async () => {
  const relay = await opened()
  const { buyer, id } = await conferred(relay)
  await relay.clock.advance(TTL_MS)
  const thief = new Participant(relay, 'initiator')
  const reply = await thief.send('POST', '/v1/erasure', {}, { ...NONE, keyId: buyer.did })
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(readRecord(relay.deps.store, id)).toBeDefined()
})
