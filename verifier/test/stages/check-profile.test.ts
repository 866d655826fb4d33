import type { Keyset } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { failures, judge } from '../judge.js'

describe('UAR-23: a claim of one profile', () => {
  it.each([
    ['another profile', { profile: 'confidential' as const }],
    ['another descriptor', { profile_hash: 'e'.repeat(64) }],
  ])('is refused in a receipt that names %s than the keyset', async (_, change) => {
    const verdict = await judge({ core: (core) => ({ ...core, relay: { ...core.relay, ...change } }) })
    expect(verdict.trusted).toBe(false)
    expect(Object.values(failures(verdict))).toContain('release_mismatch')
  })

  it('is refused by a policy that expects another descriptor', async () => {
    const keyset = (honest: Keyset): Keyset => ({
      ...honest,
      release: { ...honest.release, profile: 'embedded', profile_hash: 'e'.repeat(64) },
    })
    const verdict = await judge({ keyset })
    expect(verdict.exit_code).toBe(3)
    expect(failures(verdict)).toHaveProperty('relay_profile_hash')
  })
})
