import { RelayRefusal, type Session } from '@parley/agent'
import { canonicalBytes, OHTTP_KEY_PROBLEM } from '@parley/protocol'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { agreed, collectBoth, confer, submitBoth } from '../harness/confer.js'
import { CEILING, FLOOR } from '../harness/contracts.js'
import { codeOf } from '../harness/failure.js'
import { hostBytes, revealed } from '../harness/host-bytes.js'
import { type Answer, at, honest, once, type Passing } from '../harness/hostile-proxy.js'
import { judge } from '../harness/judge.js'
import { LANES, openRelay, type TestRelay } from '../harness/relay.js'
import { CHARGE, spentOf } from '../harness/spent.js'
import { type OpenStage as Stage, openStage } from '../harness/stage.js'

const EMPTY: Answer = { status: 200, headers: { 'content-type': 'message/ohttp-res' }, body: Buffer.alloc(0) }

describe.each(LANES)('a host of the %s lane that', (lane) => {
  let stage: Stage
  let other: TestRelay
  let before: number[]
  const spent = async (): Promise<number[]> => [
    await spentOf(stage, stage.buyer),
    await spentOf(stage, stage.seller),
  ]
  const sealed = (): Passing[] =>
    stage.host.seen.map(({ request }) => request).filter(({ path }) => path === '/ohttp')
  const replaysLogged = (): number =>
    stage.relay.lines.filter((line) => line.includes('"code":"request_replayed"')).length

  beforeAll(async () => {
    stage = await openStage(lane)
    other = await openRelay(lane)
    before = await spent()
  })

  /** The honest rest of a session, its receipt, and exactly one debit of each owner. */
  const completes = async (seated: { readonly bought: Session; readonly sold: Session }): Promise<void> => {
    for (const bundle of await collectBoth(stage, seated)) {
      expect(bundle.openings.output?.output).toEqual({ overlap: 'MODERATE', band: 'TENS_OF_THOUSANDS' })
      expect((await judge(bundle, stage.trust)).trusted).toBe(true)
    }
    expect(await spent()).toEqual(before.map((figure) => figure + CHARGE))
  }

  afterEach(async () => {
    stage.host.meddle = honest
    before = await spent()
    expect(revealed(hostBytes(stage.host), [CEILING, FLOOR])).toBe(false)
  })

  it('replays every request at once is refused each time, and the session goes on', async () => {
    const replays: Answer[] = []
    stage.host.meddle = at('/ohttp', async (request, pass) => {
      const first = await pass(request)
      replays.push(await pass(request))
      return first
    })
    const logged = replaysLogged()
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const bundles = await collectBoth(stage, seated)
    stage.host.meddle = honest
    expect(bundles).toHaveLength(2)
    expect(replaysLogged() - logged).toBe(replays.length)
    // What a replay is answered is sealed, and as long as any refusal.
    expect(new Set(replays.map(({ status, body }) => `${status} ${body.length}`))).toEqual(
      new Set(['200 4096']),
    )
    await completes(seated)
  })

  it('shows a participant the answer to a replay of its input does not lose it the session', async () => {
    const seated = await agreed(stage)
    stage.host.meddle = once('/ohttp', async (request, pass) => {
      await pass(request)
      return pass(request)
    })
    const refused = await stage.buyer.submit(seated.bought, CEILING, 0).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RelayRefusal)
    expect(refused).toMatchObject({ code: 'request_replayed' })
    await stage.seller.submit(seated.sold, FLOOR, 0)
    await completes(seated)
  })

  it('sends everything again when the session is over changes neither ledger nor result', async () => {
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const [bundle] = await collectBoth(stage, seated)
    const logged = replaysLogged()
    const kept = sealed().slice(-12)
    for (const request of [...kept].reverse()) await stage.host.pass(request)
    expect(replaysLogged() - logged).toBe(kept.length)
    const [again] = await collectBoth(stage, seated)
    expect(again.receipt).toEqual(bundle.receipt)
    await completes(seated)
  })

  it('delivers a held request after a later one is refused, and the input can be sent anew', async () => {
    const seated = await agreed(stage)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    stage.host.meddle = once('/ohttp', async (request, pass) => {
      await held
      return pass(request)
    })
    const submitting = codeOf(stage.buyer.submit(seated.bought, CEILING, 0))
    // The earlier request has its number before it is on its way.
    await expect.poll(() => seated.bought.file.record.encapsulations.length, { timeout: 30_000 }).toBe(1)
    await stage.buyer.offer(seated.bought, 10_000)
    release()
    expect(await submitting).toBe('sequence_replayed')
    await submitBoth(stage, seated)
    await completes(seated)
  })

  it('truncates, stretches or alters a request is told nothing, and the untouched one still counts', async () => {
    const seated = await agreed(stage)
    const told = new Set<string>()
    let altered = 0
    stage.host.meddle = once('/ohttp', async (request, pass) => {
      for (const body of distorted(request.body)) {
        const { status, headers, body: text } = await pass({ ...request, body })
        told.add(`${status} ${headers['content-type'] ?? ''} ${text.toString().trim()}`)
        altered += 1
      }
      return pass(request)
    })
    await submitBoth(stage, seated)
    expect(altered).toBeGreaterThan(60)
    expect([...told].sort()).toEqual([
      `400 application/problem+json {"title":"key identifier unknown","type":"${OHTTP_KEY_PROBLEM}"}`,
      '400 text/plain bad request',
    ])
    await completes(seated)
  })

  it('cuts an answer, alters it, leaves it out or gives another’s is not believed', async () => {
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const wish = { waitMs: 0, hardwareWaitMs: 0, openInput: false }
    const foreign = stage.host.seen.findLast(({ request }) => request.path === '/ohttp')?.answer ?? EMPTY
    const lies: readonly (readonly [string, (honest: Answer) => Answer | null])[] = [
      ['answer_malformed', (answer) => ({ ...answer, body: answer.body.subarray(0, -1) })],
      ['answer_malformed', (answer) => ({ ...answer, body: answer.body.subarray(0, 16) })],
      ['answer_malformed', (answer) => ({ ...answer, body: flipped(answer.body, 0) })],
      ['answer_malformed', (answer) => ({ ...answer, body: flipped(answer.body, answer.body.length - 1) })],
      ['answer_malformed', () => EMPTY],
      ['answer_malformed', () => foreign],
      ['answer_malformed', (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } })],
      ['relay_unreachable', () => null],
    ]
    for (const [code, lie] of lies) {
      stage.host.meddle = once('/ohttp', async (request, pass) => lie(await pass(request)))
      expect(await codeOf(stage.buyer.result(seated.bought, wish))).toBe(code)
    }
    await completes(seated)
  })

  it('drops a request leaves nothing behind; one that drops the answer cannot make it count twice', async () => {
    const seated = await agreed(stage)
    stage.host.meddle = once('/ohttp', () => Promise.resolve(null))
    expect(await codeOf(stage.buyer.submit(seated.bought, CEILING, 0))).toBe('relay_unreachable')
    stage.host.meddle = once('/ohttp', async (request, pass) => {
      await pass(request)
      return null
    })
    expect(await codeOf(stage.buyer.submit(seated.bought, CEILING, 0))).toBe('relay_unreachable')
    expect(await codeOf(stage.buyer.submit(seated.bought, CEILING, 0))).toBe('already_submitted')
    // Whatever else is said in its place, the first input counts.
    expect(await codeOf(stage.buyer.submit(seated.bought, { ...CEILING, ceiling: 1 }, 0))).toBe(
      'input_conflict',
    )
    await stage.seller.submit(seated.sold, FLOOR, 0)
    await completes(seated)
  })

  it('mixes the halves of two requests, or the requests of two relays, opens nothing', async () => {
    const seated = await agreed(stage)
    const [one, two] = [sealed().at(-1), sealed().at(-2)]
    if (one === undefined || two === undefined) throw new Error('no requests')
    // In the encapsulated key, behind it, and in the ciphertext: never where chance makes two requests equal.
    for (const cut of [23, 39, 2048]) {
      const body = Buffer.concat([one.body.subarray(0, cut), two.body.subarray(cut)])
      expect((await stage.host.pass({ ...one, body })).status).toBe(400)
    }
    stage.host.meddle = once('/ohttp', (request, pass) => pass(request, other.url))
    expect(await codeOf(stage.buyer.submit(seated.bought, CEILING, 0))).toMatch(/^gateway_/)
    expect(other.lines.filter((line) => line.includes('"status_class":"2xx"'))).toEqual([])
    await submitBoth(stage, seated)
    await completes(seated)
  })

  it('exchanges the answers of two participants, or their requests, confuses neither', async () => {
    const seated = await agreed(stage)
    await submitBoth(stage, seated)
    const parked: ((answer: Answer | null) => void)[] = []
    const answers: Answer[] = []
    stage.host.meddle = at('/ohttp', async (request, pass) => {
      answers.push(await pass(request))
      const swapped = new Promise<Answer | null>((resolve) => parked.push(resolve))
      if (parked.length === 2) {
        parked[0]?.(answers[1] ?? null)
        parked[1]?.(answers[0] ?? null)
      }
      return swapped
    })
    const wish = { waitMs: 0, hardwareWaitMs: 0, openInput: false }
    const both = [stage.buyer.result(seated.bought, wish), stage.seller.result(seated.sold, wish)]
    expect(await Promise.all(both.map(codeOf))).toEqual(['answer_malformed', 'answer_malformed'])
    stage.host.meddle = honest
    await completes(seated)
  })

  it('splices two sessions’ bundles makes no receipt that verifies', async () => {
    const [one] = await confer(stage)
    const [two] = await confer(stage)
    const members = ['receipt', 'offer', 'consents', 'transcript', 'openings', 'hardware_path'] as const
    for (const member of members) {
      const spliced = { ...one, [member]: two[member] }
      const same = Buffer.from(canonicalBytes(spliced)).equals(canonicalBytes(one))
      expect([member, same, (await judge(spliced, stage.trust)).trusted]).toEqual([member, same, same])
    }
    for (const bundle of [one, two]) expect((await judge(bundle, stage.trust)).trusted).toBe(true)
  })
})

it('the search that finds nothing above finds what is there', () => {
  const body = Buffer.from(`{"input":${JSON.stringify(CEILING)}}`)
  expect(revealed(body, [CEILING])).toBe(true)
  expect(revealed(Buffer.from(body.toString('base64')), [CEILING])).toBe(true)
})

const flipped = (bytes: Buffer, place: number): Buffer => {
  const changed = Buffer.from(bytes)
  changed[place] = (changed[place] ?? 0) ^ 1
  return changed
}

/** A message cut, stretched, and with one bit flipped in its header, its key, its text and its tag. */
const distorted = (body: Buffer): Buffer[] => {
  const cut = [0, 1, 6, 7, 38, 39, 54, 55, 2048, body.length - 1].map((size) => body.subarray(0, size))
  const stretched = [1, 12_288].map((more) => Buffer.concat([body, Buffer.alloc(more)]))
  const places = [0, 1, 2, 3, 4, 5, 6, 7, 22, 38, 39, body.length - 17, body.length - 1]
  const scattered = Array.from({ length: 40 }, (_, at) => 40 + at * 100)
  return [...cut, ...stretched, ...[...places, ...scattered].map((place) => flipped(body, place))]
}
