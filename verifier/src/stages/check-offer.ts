import {
  type Bundle,
  type Consent,
  hash,
  type Offer,
  offerDigest,
  parseDid,
  type Receipt,
  verifyConsent,
  verifyOffer,
  wasEvaluated,
} from '@parley/protocol'
import type { CheckName } from '../check-table.js'
import { attempted, failed, type Finding, notRun, passed, same, stated, type Statement } from '../finding.js'
import { offerCoherence } from './offer-coherence.js'
import type { ReadBundle, RelayKeys } from './read-bundle.js'
import { isSameKey } from './same-key.js'

const NAMES = [
  'offer_signature',
  'offer_terms',
  'offer_participants',
  'consents',
] as const satisfies readonly CheckName[]

/** Step 5 of SPEC §16: the terms that the relay signed before any input are the receipt's, and all consented. */
export const checkOffer = ({ bundle, relay }: ReadBundle): readonly Finding[] => {
  const { offer, receipt } = bundle
  if (offer === null) return withoutOffer(bundle)
  return [
    checkSignature(offer, receipt, relay),
    stated('offer_terms', [
      ...ofThisRelay(offer, receipt, relay),
      ...sameTerms(offer, receipt),
      ...charges(offer),
    ]),
    stated('offer_participants', participants(offer, bundle)),
    checkConsents(offer, bundle),
  ]
}

// A session that not all joined ends without an offer; then nothing may stand in the places that need one.
const withoutOffer = ({ receipt, consents }: Bundle): readonly Finding[] => {
  const reached =
    receipt.offer_digest !== null || wasEvaluated(receipt.outcome) || consents.some((each) => each !== null)
  return NAMES.map((name) => (reached ? failed(name, 'offer_missing', 'offer') : notRun(name, 'not_reached')))
}

const checkSignature = (offer: Offer, receipt: Receipt, { receiptKey }: RelayKeys): Finding =>
  offerDigest(offer) === receipt.offer_digest
    ? attempted('offer_signature', () => {
        verifyOffer(offer, receiptKey)
      })
    : failed('offer_signature', 'offer_mismatch', 'offer_digest')

const ofThisRelay = (
  offer: Offer,
  receipt: Receipt,
  { keyset, keysetDigest }: RelayKeys,
): readonly Statement[] => [
  same(offer.lane, keyset.lane, 'lane_mismatch', 'lane'),
  same(offer.keyset_digest, keysetDigest, 'keyset_mismatch', 'keyset_digest'),
  same(offer.session_id, receipt.session_id, 'offer_mismatch', 'session_id'),
  same(offer.policy_bundle_hash, receipt.relay.policy_bundle_hash, 'offer_mismatch', 'policy_bundle_hash'),
  same(offer.profile_hash, receipt.relay.profile_hash, 'offer_mismatch', 'profile_hash'),
  ...offerCoherence(offer, keyset),
  { holds: offer.created_at <= receipt.issued_at, code: 'receipt_before_offer', what: 'issued_at' },
]

const TERMS = [
  'contract_hash',
  'output_schema_hash',
  'evaluator',
  'program_hash',
  'prompt_program_hash',
  'model_profile_hash',
  'guardian_policy_hash',
  'provider_account',
  'egress_channel',
] as const

const sameTerms = (offer: Offer, receipt: Receipt): readonly Statement[] => [
  ...TERMS.map((term) => same(offer[term], receipt[term], 'offer_mismatch', term)),
  same(hash(offer.capacity), hash(receipt.capacity), 'offer_mismatch', 'capacity'),
]

const charges = ({ ledger, capacity }: Offer): readonly Statement[] =>
  ledger.map(({ role, charge_millibits }) =>
    same(charge_millibits, capacity.charge_millibits, 'offer_mismatch', `ledger of the ${role}`),
  )

const participants = (offer: Offer, { receipt, contract }: Bundle): readonly Statement[] =>
  offer.participants.flatMap(({ role, participant_id, did }, seat) => {
    const party = receipt.participants[seat]
    const of = `of the ${role}`
    return [
      same(
        participant_id,
        contract.participants[seat] ?? null,
        'participants_mismatch',
        `participant_id ${of}`,
      ),
      same(participant_id, party?.participant_id ?? null, 'participants_mismatch', `participant_id ${of}`),
      same(did, party?.did ?? null, 'participants_mismatch', `did ${of}`),
      {
        // Under two names one key would have conferred with itself.
        holds: !offer.participants.slice(0, seat).some((earlier) => isSameKey(earlier.did, did)),
        code: 'participants_mismatch',
        what: `did ${of}`,
      },
    ]
  })

const checkConsents = (offer: Offer, { consents, receipt }: Bundle): Finding => {
  const findings = offer.participants.map((party, seat) => {
    const consent = consents[seat] ?? null
    return consent === null ? withoutConsent(receipt) : checkConsent(consent, offer, party)
  })
  return findings.find(({ result }) => result !== 'passed') ?? passed('consents')
}

const withoutConsent = ({ outcome }: Receipt): Finding =>
  wasEvaluated(outcome) ? failed('consents', 'consent_missing') : notRun('consents', 'not_reached')

const checkConsent = (
  consent: Consent,
  offer: Offer,
  { role, did }: Offer['participants'][number],
): Finding => {
  const terms = stated('consents', [
    same(consent.role, role, 'consent_mismatch', `role of the ${role}`),
    same(consent.lane, offer.lane, 'lane_mismatch', `lane of the ${role}`),
    same(consent.offer_digest, offerDigest(offer), 'consent_mismatch', `offer_digest of the ${role}`),
  ])
  if (terms.result !== 'passed') return terms
  return attempted('consents', () => {
    verifyConsent(consent, parseDid(did).publicKey)
  })
}
