import { type Bundle, signConsent, signOffer } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { changedRow, replaced } from '../changed-row.js'
import { failures, judge, judgeBytes, notRun } from '../judge.js'
import { CONTRACT, didOf, KEYS, mintBundle, START, toBytes } from '../minted-bundle.js'
import { without } from '../without.js'

const OTHER = 'c'.repeat(64)
const edited = async (change: (honest: Bundle) => Bundle) =>
  judgeBytes(toBytes(change(await mintBundle('software', null))))

describe('an offer in a bundle', () => {
  it.each<[string, object, string]>([
    ['another keyset', { keyset_digest: OTHER }, 'keyset_mismatch'],
    ['another session', { session_id: OTHER }, 'offer_mismatch'],
    ['another policy bundle', { policy_bundle_hash: OTHER }, 'offer_mismatch'],
    ['another profile', { profile_hash: OTHER }, 'offer_mismatch'],
    ['another contract', { contract_hash: OTHER }, 'offer_mismatch'],
    ['another schema', { output_schema_hash: OTHER }, 'offer_mismatch'],
    ['another program', { program_hash: OTHER }, 'offer_mismatch'],
    ['another guardian policy', { guardian_policy_hash: OTHER }, 'offer_mismatch'],
    ['an open egress channel', { egress_channel: 'unbounded' }, 'offer_mismatch'],
    ['an expiry after its keyset', { expires_at: START + 86_401 }, 'offer_outside_keyset'],
    ['a beginning before its keyset', { created_at: START - 1 }, 'offer_outside_keyset'],
    [
      'a beginning after its keyset',
      { created_at: START + 86_401, expires_at: START + 86_402 },
      'offer_outside_keyset',
    ],
    ['a beginning after its receipt', { created_at: START + 10 }, 'receipt_before_offer'],
    ['results in no size class', { release_bytes: 1 }, 'size_class_unknown'],
  ])('is refused with %s, though the relay signed it', async (_, change, code) => {
    const verdict = await judge({ offer: (offer) => ({ ...offer, ...change }) })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4 })
    expect(failures(verdict)).toEqual({ offer_terms: code })
  })

  it("is refused where one participant's nonce is the other's sent back", async () => {
    const verdict = await judge({
      offer: (offer) => {
        const nonce = offer.participants[0]?.nonce ?? ''
        return { ...offer, participants: changedRow(offer.participants, 1, { nonce }) }
      },
    })
    expect(failures(verdict)).toEqual({ offer_terms: 'nonce_reflected' })
  })

  it('is refused where it charges an owner other than its capacity', async () => {
    const verdict = await judge({
      offer: (offer) => ({
        ...offer,
        ledger: changedRow(offer.ledger, 0, { charge_millibits: 1 }),
      }),
    })
    expect(failures(verdict)).toEqual({ offer_terms: 'offer_mismatch' })
  })

  it('is refused where it names another participant', async () => {
    const verdict = await judge({
      offer: (offer) => ({
        ...offer,
        participants: changedRow(offer.participants, 1, { did: didOf(KEYS.stranger) }),
      }),
    })
    expect(failures(verdict)).toEqual({
      offer_participants: 'participants_mismatch',
      consents: 'signature_invalid',
    })
  })

  it('is refused where the receipt names another', async () => {
    const verdict = await judge({ core: (core) => ({ ...core, offer_digest: OTHER }) })
    expect(failures(verdict)).toEqual({
      offer_signature: 'offer_mismatch',
      transcript_members: 'transcript_mismatch',
    })
  })

  it('is refused where another key signed it', async () => {
    const verdict = await edited((honest) => {
      if (honest.offer === null) throw new Error('no offer')
      const unsigned = without(honest.offer, 'signature')
      return { ...honest, offer: signOffer(unsigned, KEYS.stranger) }
    })
    expect(failures(verdict)).toEqual({ offer_signature: 'signature_invalid' })
  })

  it('cannot be left out where the receipt names it', async () => {
    const verdict = await edited((honest) => ({ ...honest, offer: null }))
    expect(failures(verdict)).toEqual({
      offer_signature: 'offer_missing',
      offer_terms: 'offer_missing',
      offer_participants: 'offer_missing',
      consents: 'offer_missing',
    })
  })

  it('cannot be swapped for that of another session', async () => {
    const other = await mintBundle('software', null, {
      contract: () => ({ ...CONTRACT, metadata: 'another session' }),
    })
    const verdict = await edited((honest) => ({ ...honest, offer: other.offer }))
    expect(failures(verdict)).toMatchObject({
      offer_signature: 'offer_mismatch',
      consents: 'consent_mismatch',
    })
  })
})

describe('the consents in a bundle', () => {
  it('must all be there where the session was evaluated', async () => {
    const verdict = await edited((honest) => ({ ...honest, consents: replaced(honest.consents, 0, null) }))
    expect(failures(verdict)).toEqual({
      consents: 'consent_missing',
      transcript_members: 'transcript_mismatch',
    })
  })

  it('cannot change places', async () => {
    const verdict = await edited((honest) => ({
      ...honest,
      consents: [...honest.consents].reverse(),
    }))
    expect(failures(verdict)).toEqual({
      consents: 'consent_mismatch',
      transcript_members: 'transcript_mismatch',
    })
  })

  it('must be signed by their participants', async () => {
    const verdict = await judge({ consenter: KEYS.stranger })
    expect(verdict.exit_code).toBe(4)
    expect(failures(verdict)).toEqual({ consents: 'signature_invalid' })
  })

  it('must be to this offer and of this lane', async () => {
    const consent = (lane: 'software' | 'confidential', offer_digest: string) =>
      edited((honest) => ({
        ...honest,
        consents: replaced(
          honest.consents,
          0,
          signConsent({ lane, role: 'initiator', offer_digest }, KEYS.initiator),
        ),
      }))
    const named = (await mintBundle('software', null)).consents[0]?.offer_digest ?? ''
    expect(failures(await consent('software', OTHER))).toMatchObject({ consents: 'consent_mismatch' })
    expect(failures(await consent('confidential', named))).toMatchObject({ consents: 'lane_mismatch' })
  })
})

describe('a session that ended before it was evaluated', () => {
  const lies = { outcome: { status: 'ABORTED', abort_class: 'EXPIRED' } } as const

  it('has a receipt that is trusted, without inputs or output', async () => {
    const verdict = await judge(lies)
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({
      trusted: true,
      outcome: { status: 'ABORTED', abort_class: 'EXPIRED' },
      output: null,
    })
    expect(notRun(verdict)).toMatchObject({ inputs: 'inputs_not_open', reexecution: 'not_reached' })
  })

  it('may lack a consent, if its transcript lacks it as well', async () => {
    const honest = await mintBundle('software', null, {
      ...lies,
      transcript: (transcript) => ({
        ...transcript,
        participants: changedRow(transcript.participants, 1, { consent: null }),
      }),
    })
    const verdict = await judgeBytes(toBytes({ ...honest, consents: replaced(honest.consents, 1, null) }))
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ consents: 'not_reached' })
  })

  it('may lack the offer, if nothing speaks of one', async () => {
    const honest = await mintBundle('software', null, {
      ...lies,
      transcript: (transcript) => ({
        ...transcript,
        offer_digest: null,
        participants: transcript.participants.map((row) => ({ ...row, consent: null })),
      }),
      core: (core) => ({ ...core, offer_digest: null }),
    })
    const verdict = await judgeBytes(toBytes({ ...honest, offer: null, consents: [null, null] }))
    expect(failures(verdict)).toEqual({})
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toMatchObject({ offer_signature: 'not_reached', consents: 'not_reached' })
    const smuggled = await judgeBytes(toBytes({ ...honest, offer: null }))
    expect(failures(smuggled)).toMatchObject({ consents: 'offer_missing' })
  })
})
