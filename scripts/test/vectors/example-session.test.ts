import { type Bundle, canonicalBytes, type JsonObject } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '@parley/verifier'
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../src/vectors/examples.js'

const { bundle, keyset } = EXAMPLES
const pinned = (receiptKey: string): JsonObject => ({
  version: 'parley-policy-v1',
  minimum_assurance: 'SELF_ASSERTED',
  accept_simulated: false,
  hardware: null,
  relay: {
    version: { equals: keyset.release.version },
    image_digest: { equals: null },
    policy_bundle_hash: { equals: keyset.release.policy_bundle_hash },
    profile_hash: { equals: keyset.release.profile_hash },
    receipt_key: { equals: receiptKey },
  },
  waive: [],
})
const judge = (receiptKey: string, now = keyset.not_before + 600, file: Bundle = bundle): Promise<Verdict> =>
  verifyBundle({
    bytes: canonicalBytes(file),
    policy: parseVerifierPolicy(pinned(receiptKey)),
    roots: [],
    now: now * 1000,
  })

describe('the bundle of the specification', () => {
  it('is trusted, and its program gives the output again', async () => {
    const verdict = await judge(keyset.receipt_key)
    expect(verdict.checks.filter(({ result }) => result === 'failed')).toEqual([])
    expect(verdict.trusted).toBe(true)
    expect(verdict.checks.find(({ name }) => name === 'reexecution')?.result).toBe('passed')
  })

  it('is not trusted under another receipt key', async () => {
    expect(await judge(keyset.log_key)).toMatchObject({ trusted: false, exit_code: 3 })
  })

  it('is not trusted after its keyset', async () => {
    expect(await judge(keyset.receipt_key, keyset.not_after + 1)).toMatchObject({ trusted: false, exit_code: 3 })
  })
})

describe('the bundles of the session of three', () => {
  it.each(['bundle-of-three', 'bundle-of-three-narrowed'] as const)(
    '%s is trusted, and its program gives what was opened again',
    async (name) => {
      const verdict = await judge(keyset.receipt_key, undefined, EXAMPLES[name])
      expect(verdict.checks.filter(({ result }) => result === 'failed')).toEqual([])
      expect(verdict.trusted).toBe(true)
      expect(verdict.checks.find(({ name: check }) => check === 'reexecution')?.result).toBe('passed')
    },
  )

  it('the third participant is shown its part of the output, without findings', () => {
    expect(EXAMPLES['bundle-of-three'].openings.output).toMatchObject({
      role: null,
      output: { agreed: 'YES', day: 'DAY_1' },
      findings: ['no_digits'],
    })
    expect(EXAMPLES['bundle-of-three-narrowed'].openings.output).toMatchObject({
      role: 'participant_3',
      output: { agreed: 'YES' },
      findings: [],
    })
  })
})
