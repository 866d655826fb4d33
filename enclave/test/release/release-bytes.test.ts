import { canonicalBytes, type Contract, type JsonValue, parseBundle } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { largestBundle, largestRecord } from '../../src/release/largest-record.js'
import { releaseBytes } from '../../src/release/release-bytes.js'
import { type Agreement, createAdmission } from '../../src/session/agreement.js'
import { offeredPair, pairOf, submittedPair } from '../session/participant.js'
import { CONTRACT, type TestRelay, testRelay } from '../session/test-relay.js'
import { TRICKY } from '../session/tricky-contract.js'

const agreed = (relay: TestRelay, contract: Contract): Agreement => {
  const agreement = createAdmission(relay.deps)(contract)
  if ('refused' in agreement) throw new Error(agreement.refused)
  return agreement
}

const length = (value: JsonValue): number => canonicalBytes(value).length

describe.each(['software', 'confidential'] as const)('the bound of a bundle in the %s lane', (lane) => {
  it.each<[string, Contract, readonly [JsonValue, JsonValue]]>([
    ['an output', TRICKY, [{ n: 0 }, { n: 0 }]],
    ['the longest output', TRICKY, [{ n: 1 }, { n: 0 }]],
    ['a refused draft', TRICKY, [{ n: 2 }, { n: 0 }]],
    ['a failed evaluation', TRICKY, [{ n: 9 }, { n: 9 }]],
  ])('is not reached by %s, with its hardware path', async (_, contract, inputs) => {
    const relay = testRelay({ lane })
    const pair = pairOf(relay)
    for (const each of [pair.buyer, pair.seller]) {
      each.tag = 't'.repeat(64)
      each.limit = 1_000_000_000
    }
    const { buyer, seller } = await submittedPair(relay, contract, inputs, pair)
    await buyer.bundle()
    const bound = length(largestBundle(largestRecord(relay.deps, agreed(relay, contract))))
    for (const each of [buyer, seller]) {
      const bundle = parseBundle(await each.bundle())
      expect(bundle.hardware_path.status).toBe('present')
      expect(length(bundle)).toBeLessThan(bound)
      // Not an idle bound either: it is within the paths of large trees and the longest names.
      expect(bound - length(bundle)).toBeLessThan(9000)
    }
  })

  it('holds for a session that nobody joined', async () => {
    const relay = testRelay({ lane })
    const { buyer } = pairOf(relay)
    await buyer.created(CONTRACT, null)
    await buyer.cancel()
    const bundle = await buyer.bundle()
    expect(length(bundle)).toBeLessThan(
      length(largestBundle(largestRecord(relay.deps, agreed(relay, CONTRACT)))),
    )
  })
})

describe('release_bytes', () => {
  it('is the size class that offer and result use', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    const { release_bytes } = releaseBytes(relay.deps, agreed(relay, CONTRACT))
    expect(buyer.offered?.offer?.release_bytes).toBe(release_bytes)
    expect((await buyer.result()).padTo).toBe(release_bytes)
  })

  it('grows with the contract, and with what the relay must show of itself', () => {
    const software = testRelay()
    const long = { ...CONTRACT, metadata: 'x'.repeat(100_000) }
    expect(releaseBytes(software.deps, agreed(software, long)).release_bytes).toBe(256 * 1024)
    const confidential = testRelay({ lane: 'confidential' })
    const sizes = [software, confidential].map(
      (relay) => releaseBytes(relay.deps, agreed(relay, CONTRACT)).release_bytes,
    )
    expect(sizes).toEqual([64 * 1024, 64 * 1024])
  })

  it('leaves room in the record for all owners', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    for (const each of [pair.buyer, pair.seller]) each.tag = 't'.repeat(64)
    const { buyer } = await submittedPair(relay, CONTRACT, undefined, pair)
    await buyer.bundle()
    const record = relay.disk.records.get(`session/${buyer.session ?? ''}`)
    expect(record?.length).toBe(agreed(relay, CONTRACT).bytes.record_bytes)
    expect(record?.indexOf(0)).toBeGreaterThan(1000)
  })
})
