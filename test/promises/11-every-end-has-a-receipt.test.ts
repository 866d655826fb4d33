import type { Session } from '@parley/agent'
import { type Bundle, type Contract, isJsonArray, isJsonObject, type JsonValue } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { agreed, collectBoth, seatBoth, type Seated, submitBoth } from '../harness/confer.js'
import { TRICKY } from '../harness/contracts.js'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { type OpenStage, openStage } from '../harness/stage.js'
import { virtualClock } from '../harness/virtual-clock.js'

const BRIEF_SECONDS = 90
const BRIEF: Contract = { ...TRICKY, session_ttl_secs: BRIEF_SECONDS }

/** Each way in which a session can end, as its two participants bring it about. */
const ENDS: Readonly<Record<string, (stage: OpenStage) => Promise<Seated>>> = {
  COMPLETED: async (stage) => ended(stage, 0),
  OUTPUT_REFUSED: async (stage) => ended(stage, 3),
  EVALUATION_FAILED: async (stage) => ended(stage, 4),
  'CANCELLED before a consent': async (stage) => cancelled(stage, await seatBoth(stage, TRICKY)),
  'CANCELLED after both consents': async (stage) => cancelled(stage, await agreed(stage, TRICKY)),
  'CANCELLED after one input': async (stage) => {
    const seated = await agreed(stage, TRICKY)
    await stage.buyer.submit(seated.bought, { n: 0 }, 0)
    return cancelled(stage, seated)
  },
  'EXPIRED after both consents': async (stage) => agreed(stage, BRIEF),
  'EXPIRED after one input': async (stage) => {
    const seated = await agreed(stage, BRIEF)
    await stage.seller.submit(seated.sold, { n: 0 }, 0)
    return seated
  },
}

const ended = async (stage: OpenStage, n: number): Promise<Seated> => {
  const seated = await agreed(stage, TRICKY)
  await submitBoth(stage, seated, [{ n }, { n: 0 }])
  // Released before the clock is put forward.
  await collectBoth(stage, seated)
  return seated
}
const cancelled = async ({ buyer }: OpenStage, seated: Seated): Promise<Seated> => {
  await buyer.cancel(seated.bought)
  return seated
}

/** The names of all members, at every level; what is null in one receipt may be said in another. */
const shapeOf = (value: JsonValue, at = ''): string[] => {
  if (isJsonArray(value)) return value.flatMap((item) => shapeOf(item, `${at}[]`))
  if (!isJsonObject(value)) return [at]
  return Object.entries(value).flatMap(([name, member]) => [
    `${at}.${name}`,
    ...shapeOf(member, `${at}.${name}`),
  ])
}
const membersOf = (bundle: Bundle): string[] =>
  [...new Set(shapeOf(bundle.receipt))].filter((at) => !at.startsWith('.audit.path')).sort()

describe.each(LANES)('a session of the %s lane that ends as', (lane) => {
  let stage: OpenStage
  const clock = virtualClock()
  const bundles = new Map<string, readonly [Bundle, Bundle]>()
  /** The sizes of all answers to those who asked for the result. */
  const sizes = new Map<string, ReadonlySet<number | undefined>>()
  beforeAll(async () => {
    stage = await openStage(lane, { clock })
    const brought = Object.entries(ENDS).map(
      async ([name, bring]): Promise<[string, Seated]> => [name, await bring(stage)],
    )
    const all = await Promise.all(brought)
    clock.leap(BRIEF_SECONDS * 1000)
    for (const [name, seated] of all) {
      const before = stage.host.seen.length
      bundles.set(name, await collectBoth(stage, seated))
      sizes.set(name, new Set(stage.host.seen.slice(before).map(({ answer }) => answer?.body.length)))
    }
  })

  it.each(Object.keys(ENDS))('%s has a signed receipt for both, which verifies offline', async (name) => {
    const both = bundles.get(name) ?? []
    expect(both).toHaveLength(2)
    for (const bundle of both) {
      const { status, abort_class } = bundle.receipt.outcome
      expect(abort_class ?? status).toBe(name.split(' ')[0])
      const verdict = await judge(bundle, stage.trust)
      expect([verdict.trusted, verdict.outcome]).toEqual([true, bundle.receipt.outcome])
      expect(bundle.receipt.audit.checkpoint).not.toBe('')
    }
    expect(both[0]?.receipt).toEqual(both[1]?.receipt)
  })

  it.each(Object.keys(ENDS))('%s has a receipt of the same members', (name) => {
    const completed = bundles.get('COMPLETED')
    const bundle = bundles.get(name)
    if (completed === undefined || bundle === undefined) throw new Error('no bundle')
    expect(membersOf(bundle[0])).toEqual(membersOf(completed[0]))
  })

  it.each(Object.keys(ENDS))('%s is answered in the size class of every other end', (name) => {
    const release = bundles.get('COMPLETED')?.[0].offer?.release_bytes
    expect(bundles.get(name)?.[0].offer?.release_bytes).toBe(release)
    expect(sizes.get(name)).toEqual(new Set([release]))
  })

  it('CANCELLED or EXPIRED before anybody joined has one too, of the same members', async () => {
    const { buyer } = stage
    const wish = { waitMs: 30_000, hardwareWaitMs: 0, openInput: false }
    const alone = async (contract: Contract, end: (session: Session) => Promise<void>): Promise<Bundle> => {
      const { session } = await buyer.create(await stage.begin(buyer), { contract, invited: [null] })
      await end(session)
      return buyer.result(session, wish)
    }
    const both = await Promise.all([
      alone(TRICKY, (session) => buyer.cancel(session)),
      alone({ ...TRICKY, invite_ttl_secs: BRIEF_SECONDS }, () => {
        clock.leap(BRIEF_SECONDS * 1000)
        return Promise.resolve()
      }),
    ])
    expect(both.map(({ receipt }) => receipt.outcome.abort_class)).toEqual(['CANCELLED', 'EXPIRED'])
    const completed = bundles.get('COMPLETED')
    for (const bundle of both) {
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
      expect(bundle.receipt.offer_digest).toBe(null)
      expect(completed && membersOf(completed[0])).toEqual(membersOf(bundle))
    }
  })

  it('a receipt of another shape would be noticed', () => {
    const bundle = bundles.get('CANCELLED after one input')?.[0]
    if (bundle === undefined) throw new Error('no bundle')
    const { tee: _, ...rest } = bundle.receipt
    expect(membersOf({ ...bundle, receipt: rest as Bundle['receipt'] })).not.toEqual(membersOf(bundle))
  })
})
