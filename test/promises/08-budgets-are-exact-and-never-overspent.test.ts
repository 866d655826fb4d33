import { setTimeout as sleep } from 'node:timers/promises'
import { RelayRefusal } from '@parley/agent'
import { capacityOf, compileOutputSchema } from '@parley/guardian'
import {
  type Bundle,
  canonicalize,
  fromBase64url,
  type JsonValue,
  keysetDigest,
  type LedgerEntry,
  ledgerHead,
  parseEd25519PublicKey,
  verifyLedgerEntry,
} from '@parley/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { askResult } from '../harness/ask-result.js'
import { freshFolder } from '../harness/cleanup.js'
import {
  conferAtOnce,
  emptyCrowd,
  endedIn,
  type KillPoint,
  type Pair,
  recordsOf,
  seededNumbers,
} from '../harness/crowd.js'
import { agreed, collectBoth, confer, type Seated, submitBoth } from '../harness/confer.js'
import { contractOf, NEGOTIATION, record } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { prepareRelay, type RelayProcess, startRelayProcess } from '../harness/relay-process.js'
import { CHARGE, spentOf } from '../harness/spent.js'
import { newParty, type OpenStage, openStage, type Party, type Stage, stageBefore } from '../harness/stage.js'

describe('what a session can tell', () => {
  it('is counted exactly: an exhaustive search under another validator finds as many outputs', () => {
    const schema = {
      type: 'object',
      properties: {
        word: { enum: ['NO', 'YES', null, 3] },
        flag: { type: 'boolean' },
        step: { type: 'integer', exclusiveMinimum: -2, maximum: 1 },
        list: {
          type: 'array',
          items: { enum: ['x', 'y', 'z'] },
          minItems: 1,
          maxItems: 2,
          uniqueItems: true,
        },
      },
      required: ['word', 'list'],
      additionalProperties: false,
    }
    const validate = new Ajv2020({ strict: false }).compile(schema)
    const letters = ['x', 'y', 'z', 'w']
    const lists = [
      [],
      ...letters.map((one) => [one]),
      ...letters.flatMap((one) => letters.map((two) => [one, two])),
    ]
    const candidates = (values: readonly JsonValue[]): readonly (JsonValue | undefined)[] => [
      undefined,
      ...values,
    ]
    const found = new Set<string>()
    for (const word of candidates(['NO', 'YES', 'MAYBE', null, 3, 4, true]))
      for (const flag of candidates([true, false, 0, 'true']))
        for (const step of candidates([-3, -2, -1, 0, 1, 2, 0.5]))
          for (const list of candidates(lists)) {
            const members = Object.entries({ word, flag, step, list }).filter(
              ([, value]) => value !== undefined,
            )
            const output = Object.fromEntries(members) as Record<string, JsonValue>
            if (validate(output)) found.add(canonicalize(output))
          }
    const compiled = compileOutputSchema(schema)
    if (!compiled.ok) throw new Error(compiled.code)
    const capacity = capacityOf(compiled.shape.outputs, null, 'cel')
    expect(capacity.outputs).toBe(String(found.size))
    expect(capacity.outcomes).toBe(String(found.size + 4))
  })

  it('is charged in thousandths of a bit, rounded up and no further', () => {
    const outcomes = 39n ** 1000n
    expect(outcomes <= 2n ** BigInt(CHARGE)).toBe(true)
    expect(outcomes > 2n ** BigInt(CHARGE - 1)).toBe(true)
  })
})

const entriesOf = (bundle: Bundle): { before: LedgerEntry; after: LedgerEntry } => {
  const [row] = bundle.openings.ledger
  if (!row?.before || !row.after) throw new Error('no ledger entries')
  return { before: row.before, after: row.after }
}

describe.each(LANES)('a budget of the %s lane', (lane) => {
  let stage: OpenStage
  beforeAll(async () => {
    stage = await openStage(lane)
  })

  it('pays for as many sessions at once as fit into it, and for no more', async () => {
    const budget = { tag: 'many-at-once', limitMillibits: 3 * CHARGE + CHARGE / 2 }
    const stages = Array.from({ length: 8 }, () => ({ ...stage, seller: newParty() }))
    const runs = await Promise.allSettled(
      stages.map(async (each) => {
        const seated = await agreed(each, NEGOTIATION, budget)
        await submitBoth(each, seated)
        return (await collectBoth(each, seated))[0]
      }),
    )
    const codes = runs.flatMap((run) =>
      run.status === 'rejected' ? [(run.reason as RelayRefusal).code] : [],
    )
    expect(codes).toEqual(new Array(5).fill('budget_exhausted'))
    const steps = runs.flatMap((run) => (run.status === 'fulfilled' ? [entriesOf(run.value)] : []))
    const after = steps.map((step) => step.after).sort((one, other) => one.seq - other.seq)
    expect(after.map(({ after_millibits }) => after_millibits)).toEqual([CHARGE, 2 * CHARGE, 3 * CHARGE])
    // One chain: each debit stands on the one before.
    expect(after.slice(1).map(({ previous }) => previous)).toEqual(after.slice(0, -1).map(ledgerHead))
    expect(await codeOf(confer({ ...stage, begin: (who) => stage.begin(who, budget) }))).toBe(
      'budget_exhausted',
    )
  })

  it('is not had twice under another name of the same key, nor raised, nor overdrawn by a thousandth', async () => {
    const budget = { tag: 'one-owner', limitMillibits: 2 * CHARGE }
    const create = async (who: Party, limitMillibits: number): Promise<string> =>
      codeOf(
        who.create(await stage.begin(who, { ...budget, limitMillibits }), {
          contract: NEGOTIATION,
          invited: [null],
        }),
      )
    const seated = await agreed(stage, NEGOTIATION, budget)
    await submitBoth(stage, seated)
    await collectBoth(stage, seated)
    const { key, did } = stage.buyer.identity
    const other = did.replace('did:oas:self:agent:', 'did:oas:other:tool:')
    const alias = Object.assign(newParty(), { identity: { key, did: other } })
    expect(other).not.toBe(did)
    expect(await create(alias, budget.limitMillibits)).toBe('ledger_claim_refused')
    expect(await create(stage.buyer, 10 * CHARGE)).toBe('ledger_claim_refused')
    expect(await create(stage.buyer, budget.limitMillibits)).toBe('nothing failed')
    expect(await create(stage.buyer, budget.limitMillibits - 1)).toBe('budget_exhausted')
  })

  it('is charged for whatever was evaluated, and for nothing else', async () => {
    const budget = { tag: 'what-counts', limitMillibits: 1_000_000 }
    const failing = contractOf({
      source: '{"word": ["NO"][initiator.n]}',
      output: record({ word: { const: 'NO' } }),
      inputs: {
        initiator: record({ n: { type: 'integer', minimum: 0, maximum: 9 } }),
        responder: record({}),
      },
    })
    const told = async (n: number): Promise<number> => {
      const seated = await agreed(stage, failing, budget)
      await submitBoth(stage, seated, [{ n }, {}])
      const { before, after } = entriesOf((await collectBoth(stage, seated))[0])
      return after.after_millibits - before.after_millibits
    }
    // One output and four ways of ending: the failure costs as much as the output.
    expect([await told(0), await told(9)]).toEqual([2322, 2322])
    const { bought } = await agreed(stage, failing, budget)
    await stage.buyer.submit(bought, { n: 0 }, 0)
    await stage.buyer.cancel(bought)
    expect(await spentOf(stage, stage.buyer, budget)).toBe(2 * 2322)
  })
})

describe('a relay that is killed at any moment', () => {
  type Seen = { readonly released: boolean; readonly recorded: boolean; readonly charged: number }
  type Killed = { readonly seen: Seen; readonly successor: RelayProcess }

  /** Kills a relay so many milliseconds after the second input, and looks at what its successor knows. */
  const killAfter = async (
    ms: number,
    relay: RelayProcess,
    parties: Pick<Stage, 'buyer' | 'seller'>,
  ): Promise<Killed> => {
    const { buyer, seller } = parties
    const stage = await stageBefore(relay, buyer, seller)
    const seated = await agreed(stage)
    const before = await spentOf(stage, buyer)
    await submitBoth(stage, seated)
    const fetching = collectBoth(stage, seated).then(
      () => true,
      () => false,
    )
    // Never: after the result was fetched.
    await (ms === Infinity ? fetching : sleep(ms))
    await relay.kill()
    const released = await fetching
    const successor = await startRelayProcess('software', relay.folder)
    const after = await stageBefore(successor, buyer, seller)
    const recorded = await recordOf(after, seated, relay)
    const charged = (await spentOf(after, buyer)) - before
    return { seen: { released, recorded, charged }, successor }
  }

  /** Whether the session is on the disk, for both or for neither, with a receipt that verifies. */
  const recordOf = async (
    stage: Stage,
    { bought }: Seated,
    { trust }: Pick<Stage, 'trust'>,
  ): Promise<boolean> => {
    const id = bought.file.record.session_id
    const relay = await stage.attest(stage.buyer)
    const both = await Promise.all([
      askResult(relay, stage.buyer.identity, 'initiator', id).catch((error: unknown) => error),
      askResult(relay, stage.seller.identity, 'responder', id).catch((error: unknown) => error),
    ])
    const bundles = both.flatMap((each) => {
      if (each instanceof RelayRefusal && each.code === 'session_unknown') return []
      return [(each as { bundle: Bundle }).bundle]
    })
    for (const bundle of bundles) expect((await judge(bundle, trust)).trusted).toBe(true)
    expect([0, 2]).toContain(bundles.length)
    return bundles.length === 2
  }

  it('has charged for each result that it can release, and can release each that it charged for', async () => {
    const folder = freshFolder()
    prepareRelay(folder, { release_slot_ms: 1600 })
    const parties = { buyer: newParty(), seller: newParty() }
    const seen: Seen[] = []
    let relay = await startRelayProcess('software', folder)
    for (const ms of [0, 400, 700, 780, 820, 900, 1200, 1600, Infinity]) {
      const killed = await killAfter(ms + Math.random() * 30, relay, parties)
      seen.push(killed.seen)
      relay = killed.successor
    }
    for (const { released, recorded, charged } of seen) {
      expect(charged).toBe(recorded ? CHARGE : 0)
      if (released) expect(recorded).toBe(true)
    }
    // The kills did fall on both sides of the commit, and of the release.
    expect(seen[0]).toEqual({ released: false, recorded: false, charged: 0 })
    expect(seen.at(-1)).toEqual({ released: true, recorded: true, charged: CHARGE })
  }, 300_000)
})

describe('a relay that is killed over and over while one pair confers 200 times at once', () => {
  const PAID = 40
  const LIMIT = PAID * CHARGE + CHARGE / 2
  const budgets: Pair['budgets'] = {
    buyer: { tag: 'crowd', limitMillibits: LIMIT },
    seller: { tag: 'crowd', limitMillibits: 100_000_000 },
  }

  /** Early, between two commits, between a commit and its release: where, the seed decides, and the clock a little. */
  const killPoints = (seed: number): readonly [KillPoint, KillPoint, KillPoint] => {
    const random = seededNumbers(seed)
    const within = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
    return [
      { once: 'offered', count: within(1, PAID / 2), ms: within(0, 100) },
      { once: 'submitted', count: within(1, PAID / 4), ms: within(0, 600) },
      { once: 'ended', count: within(1, PAID / 4), ms: within(0, 50) },
    ]
  }

  /** All entries of an owner that were seen, each once: signed, by the rules of arithmetic, and with one successor. */
  const chainOf = (seen: readonly LedgerEntry[], relays: readonly RelayProcess[]): readonly LedgerEntry[] => {
    const entries = new Map(seen.map((entry) => [ledgerHead(entry), entry]))
    const chain = [...entries.values()].sort((one, other) => one.seq - other.seq)
    for (const entry of chain) {
      const key = relays.find(({ keyset }) => keysetDigest(keyset) === entry.keyset_digest)?.keyset
        .receipt_key
      verifyLedgerEntry({ ...entry }, parseEd25519PublicKey(fromBase64url(key ?? '', 32)))
      expect(entry.before_millibits + entry.charge_millibits).toBe(entry.after_millibits)
      expect(entry.after_millibits).toBeLessThanOrEqual(entry.limit_millibits)
      const before = entries.get(entry.previous ?? '')
      if (before === undefined) continue
      expect(entry).toMatchObject({ seq: before.seq + 1, before_millibits: before.after_millibits })
    }
    // Nobody has two entries at one place: each kill left one chain.
    expect(new Set(chain.map(({ seq }) => seq)).size).toBe(chain.length)
    expect(new Set(chain.map(({ previous }) => previous)).size).toBe(chain.length)
    return chain
  }

  it('charges each release once, releases none without a charge, and stops at the limit', async () => {
    const folder = freshFolder()
    prepareRelay(folder, { release_slot_ms: 1000 })
    const pair: Pair = { buyer: newParty(), seller: newParty(), budgets }
    const crowd = emptyCrowd()
    const relays: RelayProcess[] = []
    const next = async (): Promise<RelayProcess> => {
      const relay = await startRelayProcess('software', folder)
      relays.push(relay)
      return relay
    }
    const [early, later, whileReleasing] = killPoints(0x5eed)
    await conferAtOnce(await next(), pair, { sessions: 60, kill: early }, crowd)
    await conferAtOnce(await next(), pair, { sessions: 60, kill: later }, crowd)
    await conferAtOnce(await next(), pair, { sessions: 200, kill: whileReleasing }, crowd)
    const cutOff = crowd.failed.length
    const last = await next()
    await conferAtOnce(last, pair, { sessions: 80, kill: null }, crowd)
    await last.kill()
    expect([...new Set(crowd.failed.slice(cutOff))]).toEqual(['budget_exhausted'])
    // Before a kill anybody may be cut off, but nobody was shown a chain that is not its own.
    for (const code of ['ledger_head_unknown', 'ledger_mismatch', 'signature_invalid'])
      expect(crowd.failed).not.toContain(code)

    const stage = await stageBefore(await next(), pair.buyer, pair.seller)
    const records = await recordsOf(stage, crowd.ids)
    // Whatever was left to spend was spent, by whoever came first.
    expect(records.size).toBe(PAID)
    expect(records.size).toBeGreaterThanOrEqual(relays.reduce((sum, relay) => sum + endedIn(relay), 0))
    const bundles = [...records.values()].flat()
    const withoutPath = ({ hardware_path: _, ...rest }: Bundle): string => canonicalize(rest)
    const known = new Set(bundles.map(withoutPath))
    for (const bundle of crowd.fetched) expect(known).toContain(withoutPath(bundle))

    for (const seat of [0, 1] as const) {
      const steps = [...records.values()].map((both) => entriesOf(both[seat]))
      const chain = chainOf(
        [...steps.flatMap(({ before, after }) => [before, after]), ...(seat === 0 ? crowd.offered : [])],
        relays,
      )
      const debits = chain.filter(({ kind }) => kind === 'debit')
      expect(debits.map(({ after_millibits }) => after_millibits)).toEqual(
        debits.map((_, at) => (at + 1) * CHARGE),
      )
      expect(debits.map(({ session_id }) => session_id).sort()).toEqual([...records.keys()].sort())
    }
    for (const bundle of bundles) {
      const issuer = relays.find(({ keyset }) => keysetDigest(keyset) === bundle.receipt.relay.keyset_digest)
      if (issuer === undefined) throw new Error('a receipt of no relay')
      expect((await judge(bundle, issuer.trust)).trusted).toBe(true)
    }
  }, 300_000)
})
