import { type Contract, type JsonValue } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { ModelReply } from '../../src/model/model-provider.js'
import { modelContract, NEAR, REGISTRY, said, scripted } from './model-contract.js'
import { CEILING, consentedPair, FLOOR, good, type Participant } from './participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from './test-relay.js'
import { TRICKY } from './tricky-contract.js'

/** All that a host sees of a run: when each answer came and how long it was, when the relay wrote and how much. */
async function hostView(contract: Contract, inputs: readonly [JsonValue, JsonValue]): Promise<unknown> {
  return viewOf(testRelay({ lane: 'confidential' }), contract, inputs)
}

async function viewOf(
  relay: TestRelay,
  contract: Contract,
  inputs: readonly [JsonValue, JsonValue],
  slotMs = LIMITS.release_slot_ms,
): Promise<unknown> {
  const { buyer, seller } = await consentedPair(relay, contract)
  const answers: unknown[] = []
  const note = async (who: Participant, name: string, prefer?: string): Promise<void> => {
    const twist = prefer === undefined ? {} : { prefer }
    const { padTo } = await relay.wait(who.send('GET', who.path(name), undefined, twist))
    answers.push([name, relay.clock.nowMs(), padTo])
  }
  for (const [who, input] of [
    [buyer, inputs[0]],
    [seller, inputs[1]],
  ] as const) {
    const reply = await who.input(input)
    good(reply)
    answers.push(['input', relay.clock.nowMs(), reply.padTo])
  }
  while (relay.clock.nowMs() < slotMs + 2 * LIMITS.tick_ms) {
    await note(buyer, 'result')
    await note(seller, 'offer')
  }
  await note(seller, 'result', 'wait=30')
  await relay.clock.advance(5000)
  return { answers, writes: relay.disk.seen, log: relay.logged, records: relay.disk.records.size }
}

describe('what the host sees of runs that differ only in their inputs', () => {
  it('is equal for every outcome of the negotiation', async () => {
    const expected = await hostView(CONTRACT, [
      { ceiling: 1_200_000, currency: 'EUR' },
      { floor: 1_000_000, currency: 'EUR' },
    ])
    const others: [JsonValue, JsonValue][] = [
      [
        { ceiling: 0, currency: 'EUR' },
        { floor: 1_000_000_000_000, currency: 'EUR' },
      ],
      [
        { ceiling: 1_000_000_000_000, currency: 'EUR' },
        { floor: 0, currency: 'EUR' },
      ],
      [
        { ceiling: 1, currency: 'CHF' },
        { floor: 1, currency: 'USD' },
      ],
    ]
    for (const inputs of others) expect(await hostView(CONTRACT, inputs)).toEqual(expected)
  })

  it('is equal for an output, a longer one, a refused draft and a failed evaluation', async () => {
    const expected = await hostView(TRICKY, [{ n: 0 }, { n: 0 }])
    for (const n of [1, 2, 3]) expect(await hostView(TRICKY, [{ n }, { n: 0 }])).toEqual(expected)
  })
})

/** A session whose local model takes so long and says so. */
function localView(ms: number, reply: ModelReply): Promise<unknown> {
  const clock = { sleep: (pause: number): Promise<void> => Promise.resolve(pause).then(() => undefined) }
  const { models } = scripted('local', async () => {
    await clock.sleep(ms)
    return reply
  })
  const relay = testRelay({ lane: 'confidential', models, registry: REGISTRY })
  clock.sleep = (pause) => relay.clock.sleepUntil(relay.clock.nowMs() + pause)
  return viewOf(relay, modelContract('local'), [CEILING, FLOOR], LIMITS.model_slot_ms)
}

describe('what the host sees of a local model', () => {
  it('is equal however long it took and whatever it said, also where its time was up', async () => {
    const expected = await localView(0, said(NEAR))
    const others: [number, ModelReply][] = [
      [1, said('{"word":"A_MUCH_LONGER_WORD_THAN_THE_OTHERS"}')],
      [LIMITS.release_slot_ms, said('prose', 'another name')],
      [2 * LIMITS.release_slot_ms, { kind: 'refused' }],
      [7, { kind: 'truncated' }],
      [0, { kind: 'failed', cause: 'unreachable' }],
      [LIMITS.model_slot_ms, said(NEAR)],
    ]
    for (const [ms, reply] of others) expect(await localView(ms, reply)).toEqual(expected)
  })
})
