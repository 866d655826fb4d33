import type { Contract, JsonValue } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { contractOf, NEGOTIATION, record, TRICKY } from '../harness/contracts.js'
import { hostView, type HostView } from '../harness/host-view.js'
import { MODELLED, startLocalModel } from '../harness/local-model.js'
import { LANES } from '../harness/relay.js'

const LARGEST = 1_000_000_000_000

/** One side may say much or little, and the program may have much or little to do over it. */
const LISTS: Contract = contractOf({
  source: '{"word": initiator.list.exists(x, x == responder.x) ? "YES" : "NO"}',
  output: record({ word: { type: 'string', enum: ['NO', 'YES'] } }),
  inputs: {
    initiator: record({ list: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 400 } }),
    responder: record({ x: { type: 'string', maxLength: 20 } }),
  },
})

type Family = readonly [
  name: string,
  contract: Contract,
  inputs: readonly (readonly [JsonValue, JsonValue])[],
]

const price = (
  ceiling: number,
  floor: number,
  currencies = ['EUR', 'EUR'],
): readonly [JsonValue, JsonValue] => [
  { ceiling, currency: currencies[0] ?? '' },
  { floor, currency: currencies[1] ?? '' },
]
const FAMILIES: readonly Family[] = [
  [
    'every outcome of the shipped contract, and its smallest and largest numbers',
    NEGOTIATION,
    [
      price(1_200_000, 1_000_000),
      price(0, 0),
      price(LARGEST, LARGEST),
      price(0, LARGEST),
      price(LARGEST, 0),
      price(7, 7, ['CHF', 'USD']),
    ],
  ],
  [
    'a short output, a long one, a refused draft and a failed evaluation',
    TRICKY,
    [0, 1, 2, 3, 4, LARGEST].map((n) => [{ n }, { n: 0 }]),
  ],
  [
    'an empty input, a long one, and one over which the program spends all that it may',
    LISTS,
    [
      [{ list: [] }, { x: '' }],
      [{ list: ['x'] }, { x: 'x' }],
      [{ list: new Array(400).fill('a rather long string') }, { x: 'another long string.' }],
    ],
  ],
]

describe.each(LANES)('what the host of the %s lane sees', (lane) => {
  it.each(FAMILIES)(
    'is the same for %s',
    async (_, contract, inputs) => {
      const views: HostView[] = []
      for (const each of inputs) views.push(await hostView({ lane, contract, inputs: each }))
      for (const view of views.slice(1)) expect(view).toEqual(views[0])
      // Something was seen: both inputs, many polls, and the end of the session.
      expect(views[0]?.filter((line) => line.includes('/ohttp')).length).toBeGreaterThan(14)
      expect(views[0]?.filter((line) => line.includes('session_ended'))).toHaveLength(1)
    },
    300_000,
  )

  it('is the same whatever a local model says of them', async () => {
    const views: HostView[] = []
    for (const note of ['YES', 'NO', 'prose that is no output at all', '']) {
      const models = await startLocalModel((asked) =>
        note.length < 4 ? `{"word":"${note}"}` : asked.slice(0, 2000),
      )
      views.push(await hostView({ lane, contract: MODELLED, inputs: [{ note }, { note: 'x' }], models }))
      expect(models.heard).toHaveLength(1)
    }
    for (const view of views.slice(1)) expect(view).toEqual(views[0])
    expect(views[0]?.filter((line) => line.includes('session_ended'))).toHaveLength(1)
  }, 300_000)

  it('would be another if an input were padded to its own length, or an answer came a tick late', async () => {
    const [short, , long] = FAMILIES.find(([, contract]) => contract === LISTS)?.[2] ?? []
    if (short === undefined || long === undefined) throw new Error('no inputs')
    const run = { lane, contract: LISTS }
    const leaky = await hostView({ ...run, inputs: short, unpadded: true })
    expect(await hostView({ ...run, inputs: long, unpadded: true })).not.toEqual(leaky)
    const honest = await hostView({ ...run, inputs: short })
    expect(await hostView({ ...run, inputs: short, lateTicks: 1 })).not.toEqual(honest)
  })
})
