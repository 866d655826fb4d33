import { ChainMemo } from '@parley/attestation'
import { canonicalBytes } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import { judge } from '../harness/judge.js'
import { LANES } from '../harness/relay.js'
import { type RealBundle, realBundle } from '../harness/real-bundle.js'
import { extraRoots } from '../harness/trust.js'

describe.each(LANES)('the bundle of a real session in the %s lane', (lane) => {
  let real: RealBundle
  let file: Uint8Array
  beforeAll(async () => {
    real = await realBundle(lane)
    file = canonicalBytes(real.bundle)
  })

  const memo = new ChainMemo()
  const verdictOn = (bytes: Uint8Array): Promise<Verdict> =>
    verifyBundle({
      bytes,
      policy: parseVerifierPolicy(real.trust.policy),
      roots: extraRoots(real.trust),
      now: Date.now(),
      memo,
    })
  const trusted = async (bytes: Uint8Array): Promise<boolean> => (await verdictOn(bytes)).trusted

  /** Where a change goes unnoticed: nowhere. A change that makes the verifier throw fails the test by itself. */
  const unnoticed = async (step: number, change: (at: number) => Uint8Array): Promise<number[]> => {
    const found: number[] = []
    for (let at = 0; at < file.length; at += step) if (await trusted(change(at))) found.push(at)
    return found
  }

  const flipped = (at: number): Uint8Array => {
    const changed = Uint8Array.from(file)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    return changed
  }

  it('is trusted as it is, with both inputs open, the program run again and the hardware path judged', async () => {
    const verdict = await judge(real.bundle, real.trust)
    expect(verdict.trusted).toBe(true)
    const passed = verdict.checks.filter(({ result }) => result === 'passed').map(({ name }) => name)
    expect(passed).toEqual(expect.arrayContaining(['inputs', 'ledger', 'reexecution', 'output_allowed']))
    expect(passed.includes('hardware_path')).toBe(lane === 'confidential')
  })

  it('is not, with a bit flipped at every seventh place', async () => {
    expect(await unnoticed(7, flipped)).toEqual([])
  }, 300_000)

  it('is not, with an octet lost, doubled, or another one at every hundredth place', async () => {
    const before = (at: number): Uint8Array => file.subarray(0, at)
    expect(await unnoticed(101, (at) => Uint8Array.of(...before(at), ...file.subarray(at + 1)))).toEqual([])
    expect(await unnoticed(101, (at) => Uint8Array.of(...before(at + 1), ...file.subarray(at)))).toEqual([])
    expect(await unnoticed(101, (at) => Uint8Array.of(...before(at), 0x20, ...file.subarray(at)))).toEqual([])
  })

  it('is not, cut at every hundredth place, or with anything after its end', async () => {
    expect(await unnoticed(101, (at) => file.subarray(0, at))).toEqual([])
    for (const more of [0x0a, 0x20, 0x00, 0x7d])
      expect(await trusted(Uint8Array.of(...file, more))).toBe(false)
  })

  it('is not, spelt in another way that says the same', async () => {
    const respelt = new TextEncoder().encode(
      JSON.stringify(JSON.parse(new TextDecoder().decode(file)), null, 1),
    )
    expect((await verdictOn(respelt)).exit_code).toBe(5)
  })
})
