import { describe, expect, it } from 'vitest'
import { failures, judge } from '../judge.js'
import { START } from '../minted-bundle.js'

describe('a receipt that the relay signed', () => {
  it('is refused where it names another keyset or epoch', async () => {
    const relay = (change: object) =>
      judge({ core: (core) => ({ ...core, relay: { ...core.relay, ...change } }) })
    expect(failures(await relay({ keyset_digest: '0'.repeat(64) }))).toEqual({
      receipt_keyset: 'keyset_mismatch',
    })
    expect(failures(await relay({ epoch: '0'.repeat(32) }))).toEqual({ receipt_keyset: 'keyset_mismatch' })
  })

  it.each(['version', 'image_digest', 'policy_bundle_hash', 'profile_hash'])(
    "is refused where its relay.%s is not the keyset's",
    async (member) => {
      const verdict = await judge({
        core: (core) => ({ ...core, relay: { ...core.relay, [member]: 'a'.repeat(64) } }),
      })
      expect(verdict.exit_code).toBe(4)
      expect(failures(verdict)).toMatchObject({ receipt_release: 'release_mismatch' })
    },
  )

  it('is refused under another profile than the keyset says', async () => {
    const verdict = await judge({
      core: (core) => ({ ...core, relay: { ...core.relay, profile: 'embedded' } }),
    })
    expect(failures(verdict)).toEqual({ receipt_release: 'release_mismatch' })
  })

  it.each([START - 1, 0, START + 86_401, 9_999_999_999])(
    'is refused where it was issued at %i, when its keyset was not valid',
    async (issued_at) => {
      const verdict = await judge({ core: (core) => ({ ...core, issued_at }) })
      expect(verdict.exit_code).toBe(4)
      expect(failures(verdict)).toMatchObject({ receipt_keyset: 'receipt_outside_keyset' })
    },
  )

  it('is refused where it was issued before what it tells of', async () => {
    const issued = async (issued_at: number) =>
      failures(await judge({ core: (core) => ({ ...core, issued_at }) }))
    expect(await issued(START)).toEqual({
      offer_terms: 'receipt_before_offer',
      ledger: 'ledger_mismatch',
      audit_entry: 'audit_mismatch',
    })
    expect(await issued(START + 8)).toEqual({ ledger: 'ledger_mismatch', audit_entry: 'audit_mismatch' })
    expect(await issued(START + 10)).toEqual({})
  })

  it('is malformed where it claims TEE_ATTESTED in the software lane', async () => {
    const verdict = await judge({ core: (core) => ({ ...core, assurance_level: 'TEE_ATTESTED' }) })
    expect(verdict.exit_code).toBe(5)
    expect(failures(verdict)).toEqual({ bundle_form: 'object_malformed' })
  })

  it('is refused where it names a receipt key that is not the signer', async () => {
    const verdict = await judge({
      keyset: (keyset) => ({ ...keyset, receipt_key: keyset.log_key }),
    })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 2, assurance_level: null, outcome: null })
    expect(failures(verdict)).toMatchObject({
      evidence_binding: 'signature_invalid',
      receipt_signature: 'signature_invalid',
      offer_signature: 'signature_invalid',
    })
  })
})
