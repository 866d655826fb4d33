import {
  type Contract,
  type JsonValue,
  NO_ARTEFACTS,
  type Offer,
  offerDigest,
  signOffer,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  appraiseOffer,
  appraiseRelay,
  type AttestedKeyset,
  type OfferToAppraise,
  parseVerifierPolicy,
} from '../src/index.js'
import {
  CONTRACT,
  didOf,
  KEYS,
  keysetOf,
  mintBundle,
  mintEvidence,
  NOW,
  policyFor,
  START,
} from './minted-bundle.js'
import { changedRow } from './changed-row.js'
import { ofModel } from './minted-model.js'
import { without } from './without.js'

const NONCE = toBase64url(new Uint8Array(32).fill(9))
const OTHER = 'e'.repeat(64)

let keyset: AttestedKeyset
let honest: Offer
beforeAll(async () => {
  const appraisal = await appraiseRelay({
    evidence: await mintEvidence(keysetOf('software'), NONCE, null),
    nonce: NONCE,
    policy: parseVerifierPolicy(policyFor('software')),
    roots: [],
    now: NOW,
  })
  const { offer } = await mintBundle('software', null)
  if (appraisal.keyset === null || offer === null) throw new Error('nothing to appraise')
  keyset = appraisal.keyset
  honest = offer
})

const appraise = (offer: JsonValue, change: Partial<OfferToAppraise> = {}) =>
  appraiseOffer({
    offer,
    keyset,
    contract: CONTRACT,
    artefacts: NO_ARTEFACTS,
    ownRole: 'initiator',
    ownDid: didOf(KEYS.initiator),
    ownNonce: honest.participants[0]?.nonce ?? '',
    peerDids: [{ equals: didOf(KEYS.responder) }],
    guardianPolicyHash: { equals: honest.guardian_policy_hash },
    now: NOW,
    ...change,
  })

const resigned = (change: Partial<Offer>): Offer => {
  const unsigned = without(honest, 'signature')
  return signOffer({ ...unsigned, ...change }, KEYS.receipt)
}

describe('appraiseOffer', () => {
  it('accepts an offer whose every term is as expected, and names what a consent signs', () => {
    expect(appraise(honest)).toEqual({ accepted: true, offer: honest, offerDigest: offerDigest(honest) })
  })

  it('accepts it for the responder as well', () => {
    const responder = {
      ownRole: 'responder',
      ownDid: didOf(KEYS.responder),
      ownNonce: honest.participants[1]?.nonce ?? '',
      peerDids: [{ any: 'an open market' }],
    } as const
    expect(appraise(honest, responder)).toMatchObject({ accepted: true })
  })

  it.each<[string, () => Partial<Offer>, string]>([
    ['of the other lane', () => ({ lane: 'confidential' }), 'lane_mismatch'],
    ['of another keyset', () => ({ keyset_digest: OTHER }), 'keyset_mismatch'],
    ['of another policy bundle', () => ({ policy_bundle_hash: OTHER }), 'release_mismatch'],
    ['of another profile', () => ({ profile_hash: OTHER }), 'release_mismatch'],
    ['that began before its keyset', () => ({ created_at: START - 1 }), 'offer_outside_keyset'],
    ['that ends before it began', () => ({ created_at: START + 3602 }), 'object_malformed'],
    ['of no size class', () => ({ release_bytes: 65_535 }), 'size_class_unknown'],
    ['that outlives its keyset', () => ({ expires_at: START + 86_401 }), 'offer_outside_keyset'],
    ['over another contract', () => ({ contract_hash: OTHER }), 'contract_mismatch'],
    ['over another schema', () => ({ output_schema_hash: OTHER }), 'schema_mismatch'],
    ['over another program', () => ({ program_hash: OTHER }), 'program_mismatch'],
    ['with a model behind it', () => ({ evaluator: 'llm' }), 'contract_mismatch'],
    ['with a provider', () => ({ provider_account: 'somebody' }), 'contract_mismatch'],
    ['with an open channel', () => ({ egress_channel: 'unbounded' }), 'contract_mismatch'],
    ['under another guardian policy', () => ({ guardian_policy_hash: OTHER }), 'policy_mismatch'],
    [
      'that understates its capacity',
      () => ({ capacity: { ...honest.capacity, outputs: '1' } }),
      'capacity_mismatch',
    ],
    [
      'that charges less to the peer',
      () => ({ ledger: changedRow(honest.ledger, 1, { charge_millibits: 0 }) }),
      'capacity_mismatch',
    ],
    [
      "with another's nonce in its owner's place",
      () => ({ participants: changedRow(honest.participants, 0, { nonce: NONCE }) }),
      'nonce_mismatch',
    ],
    [
      'for another participant',
      () => ({
        participants: changedRow(honest.participants, 0, { did: didOf(KEYS.stranger) }),
      }),
      'participants_mismatch',
    ],
    [
      'with a stranger as its peer',
      () => ({
        participants: changedRow(honest.participants, 1, { did: didOf(KEYS.stranger) }),
      }),
      'participants_mismatch',
    ],
    [
      'under other names',
      () => ({ participants: changedRow(honest.participants, 0, { participant_id: 'x' }) }),
      'participants_mismatch',
    ],
    ['that has expired', () => ({ created_at: START, expires_at: START + 1 }), 'offer_expired'],
  ])('refuses an offer %s, though the relay signed it', (_, change, code) => {
    expect(appraise(resigned(change()))).toMatchObject({ accepted: false, code })
  })

  it.each(['llm', 'local'] as const)(
    'accepts an offer of a contract that %s evaluates',
    async (evaluator) => {
      const { contract, artefacts, ...rest } = ofModel(evaluator)
      const lies = { ...rest, ...(contract ? { contract } : {}), ...(artefacts ? { artefacts } : {}) }
      const { offer } = await mintBundle('software', null, lies)
      const change = { contract: contract?.(CONTRACT) ?? CONTRACT, artefacts: artefacts ?? NO_ARTEFACTS }
      expect(appraise(offer, change)).toMatchObject({ accepted: true })
      const asked = evaluator === 'llm' ? { egress_channel: 'none' } : { egress_channel: 'unbounded' }
      const lied = await mintBundle('software', null, {
        ...lies,
        offer: (one) => ({ ...one, ...asked }) as typeof one,
      })
      expect(appraise(lied.offer, change)).toMatchObject({
        code: 'contract_mismatch',
        detail: 'egress_channel',
      })
      for (const [member, code] of [
        ['prompt_program', 'program_mismatch'],
        ['model_profile', 'contract_mismatch'],
        ['output_schema', 'schema_mismatch'],
      ] as const) {
        const less = { ...change.artefacts, [member]: null }
        expect(appraise(offer, { ...change, artefacts: less })).toMatchObject({ accepted: false, code })
      }
    },
  )

  it('refuses an offer that another key signed', () => {
    const unsigned = without(honest, 'signature')
    expect(appraise(signOffer(unsigned, KEYS.stranger))).toMatchObject({ code: 'signature_invalid' })
  })

  it("refuses one whose peer's nonce is its own, sent back", () => {
    const nonce = honest.participants[0]?.nonce ?? ''
    const reflected = resigned({ participants: changedRow(honest.participants, 1, { nonce }) })
    expect(appraise(reflected)).toMatchObject({ accepted: false, code: 'nonce_reflected' })
  })

  it('refuses itself as its peer, whatever the caller expects of peers', () => {
    const did = didOf(KEYS.initiator).replace(':agent:', ':service:')
    const offer = resigned({ participants: changedRow(honest.participants, 1, { did }) })
    expect(appraise(offer, { peerDids: [{ any: 'an open market' }] })).toMatchObject({
      code: 'participants_mismatch',
    })
  })

  it.each<[string, JsonValue]>([
    ['null', null],
    ['an unknown member', { extra: true }],
    ['rows out of order', 'swap'],
  ])('refuses %s as malformed', (_, change) => {
    const offer =
      change === null
        ? null
        : change === 'swap'
          ? { ...honest, participants: [...honest.participants].reverse() }
          : { ...honest, ...(change as object) }
    expect(appraise(offer as JsonValue)).toMatchObject({ accepted: false, code: 'object_malformed' })
  })

  it('holds the policy to what the contract names, whatever the caller would take', () => {
    const contract: Contract = { ...CONTRACT, enforcement_policy_hash: OTHER }
    const result = appraise(honest, { contract, guardianPolicyHash: { any: 'I trust the contract' } })
    expect(result).toMatchObject({ accepted: false })
  })

  it('holds the receipt key to what the contract names', async () => {
    const contract: Contract = { ...CONTRACT, relay_verifying_key_hex: toHex(KEYS.stranger.publicKey) }
    const { offer } = await mintBundle('software', null, { contract: () => contract })
    expect(appraise(offer, { contract })).toMatchObject({ code: 'keyset_mismatch' })
  })

  it('refuses a contract whose capacity is over its own budget, though the relay offered it', async () => {
    const contract: Contract = { ...CONTRACT, entropy_budget_bits: 2 }
    const { offer } = await mintBundle('software', null, { contract: () => contract })
    expect(appraise(offer, { contract })).toMatchObject({
      code: 'capacity_mismatch',
      detail: 'entropy_budget_bits',
    })
  })

  it('refuses everything at a time that is none', () => {
    expect(appraise(honest, { now: NaN })).toMatchObject({ code: 'offer_expired' })
  })
})
