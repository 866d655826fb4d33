import { canonicalBytes, type Contract, type JsonValue, parseAccepted, parseBundle } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { largestBundle, largestRecord } from '../../src/release/largest-record.js'
import { createAdmission } from '../../src/session/agreement.js'
import { contractOfMany, manyOf, NARROWING, submittedMany } from './many.js'
import { POLICY, type TestRelay, testRelay } from './test-relay.js'

const length = (value: JsonValue): number => canonicalBytes(value).length

const recordOf = (relay: TestRelay, contract: Contract) => {
  const agreement = createAdmission(relay.deps)(contract)
  if ('refused' in agreement) throw new Error(agreement.detail ?? agreement.refused)
  return { bytes: agreement.bytes, record: largestRecord(relay.deps, agreement) }
}

const inputsOf = (most: number, first: number): readonly JsonValue[] =>
  Array.from({ length: most }, (_, at) => ({ n: at === 0 ? first : 0 }))

describe.each([2, 3, 5, 8])('a session of %i', (most) => {
  it('is PARTIAL from the first input and PROCESSING with the last', async () => {
    const relay = testRelay()
    const states = await submittedMany(contractOfMany(most), manyOf(relay, most), inputsOf(most, 0))
    expect(states.map((state) => parseAccepted(state).state)).toEqual([
      ...Array.from({ length: most - 1 }, () => 'PARTIAL'),
      'PROCESSING',
    ])
  })

  it.each<['software' | 'confidential', string, number, typeof POLICY]>([
    ['software', 'the longest output', 1, POLICY],
    ['software', 'the longest output, every participant narrowed', 1, NARROWING],
    ['software', 'a refused draft, every participant narrowed', 2, NARROWING],
    ['software', 'a fault', 9, POLICY],
    ['confidential', 'the longest output, every participant narrowed', 1, NARROWING],
  ])('in the %s lane fits its bounds with %s', async (lane, _, first, policy) => {
    const relay = testRelay({ lane, policies: [POLICY, NARROWING] })
    const contract = contractOfMany(most, policy)
    const all = manyOf(relay, most)
    await submittedMany(contract, all, inputsOf(most, first))
    const { record, bytes } = recordOf(relay, contract)
    const bound = length(largestBundle(record))
    for (const each of all) {
      const bundle = parseBundle(await each.bundle())
      expect(length(bundle)).toBeLessThan(bound)
      expect(bound - length(bundle)).toBeLessThan(9000 + 1000 * most)
      expect(bundle.openings.ledger.map(({ role }) => role)).toEqual([each.role])
      expect(bundle.openings.output?.role).toBe(policy === NARROWING ? each.role : null)
    }
    if (lane === 'confidential') return
    const kept = relay.disk.records.get(`session/${all[0]?.session ?? ''}`)
    expect(kept?.length).toBe(bytes.record_bytes)
    // The length says nothing of what is in it, so there is always room left.
    expect(kept?.indexOf(0)).toBeGreaterThan(1000)
  })
})
