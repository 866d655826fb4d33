import type { Instant } from '@parley/attestation'
import { agentVaultBits, capacityOf, compileOutputSchema, type Evaluator } from '@parley/guardian'
import {
  type Artefacts,
  type Capacity,
  type Contract,
  contractHash,
  evaluatorOf,
  hash,
  type JsonValue,
  type Offer,
  offerDigest,
  parseOffer,
  type Role,
  verifyOffer,
} from '@parley/protocol'
import type { AttestedKeyset } from './appraise-relay.js'
import { brand, type Brand } from './brand.js'
import type { FailureCode } from './failure-code.js'
import { refusalOf, same, type Statement } from './finding.js'
import { artefactStatements, outputSchemaOf } from './stages/bundle-artefacts.js'
import { contractTerms, relayKeyStatements } from './stages/contract-terms.js'
import { egressStatements } from './stages/model-statements.js'
import { offerCoherence } from './stages/offer-coherence.js'
import { isSameKey } from './stages/same-key.js'
import { meets, type ReferenceValue } from './reference-value.js'

/** An offer and everything that a participant expects of it. */
export type OfferToAppraise = {
  /** As received. */
  readonly offer: JsonValue
  /** The keyset that was appraised for this participant. */
  readonly keyset: AttestedKeyset
  /** The contract that the participant agreed to, not the one that the relay sent. */
  readonly contract: Contract
  /** What came with the offer: whatever the contract names by hash alone. */
  readonly artefacts: Artefacts
  readonly ownRole: Role
  readonly ownDid: string
  /** The nonce of the participant's own create or join request, base64url of 32 octets. */
  readonly ownNonce: string
  /** The DIDs of the other participants, in role order; `any` accepts whoever joins, for a stated reason. */
  readonly peerDids: readonly ReferenceValue<string>[]
  /** The guardian policy's hash; where the contract names one, that one it must be as well. */
  readonly guardianPolicyHash: ReferenceValue<string>
  /** A Date, or milliseconds since 1970. */
  readonly now: Instant
}

/** An offer whose every term is what its participant expected: what a consent may be signed for. */
export type AppraisedOffer = Brand<Offer, 'AppraisedOffer'>

/** An offer's appraisal; `detail` names the member that is not as expected. */
export type OfferAppraisal =
  | { readonly accepted: true; readonly offer: AppraisedOffer; readonly offerDigest: string }
  | { readonly accepted: false; readonly code: FailureCode; readonly detail: string }

/**
 * Appraises an offer before a consent: signed by the attested receipt key, in its lane, of this keyset and release,
 * over this contract, with the capacity that its schema really has, for these participants, with the participant's
 * own nonce, and still open. Never throws.
 * @see protocol SPEC §9
 */
export const appraiseOffer = (input: OfferToAppraise): OfferAppraisal => {
  try {
    const offer = parseOffer(input.offer)
    verifyOffer(offer, input.keyset.receiptKey)
    const broken = statements(offer, input).find(({ holds }) => !holds)
    if (broken !== undefined) return { accepted: false, code: broken.code, detail: broken.what }
    return { accepted: true, offer: brand(offer), offerDigest: offerDigest(offer) }
  } catch (error) {
    const { code, message } = refusalOf(error)
    return { accepted: false, code, detail: message }
  }
}

const statements = (offer: Offer, input: OfferToAppraise): readonly Statement[] => [
  ...ofRelay(offer, input.keyset),
  ...ofContract(offer, input),
  ...ofCapacity(offer, input),
  ...ofParticipants(offer, input),
  ...offerCoherence(offer, input.keyset.keyset),
  { holds: Number(input.now) < offer.expires_at * 1000, code: 'offer_expired', what: 'expires_at' },
]

const ofRelay = (offer: Offer, { keyset, keysetDigest }: AttestedKeyset): readonly Statement[] => [
  same(offer.lane, keyset.lane, 'lane_mismatch', 'lane'),
  same(offer.keyset_digest, keysetDigest, 'keyset_mismatch', 'keyset_digest'),
  same(offer.policy_bundle_hash, keyset.release.policy_bundle_hash, 'release_mismatch', 'policy_bundle_hash'),
  same(offer.profile_hash, keyset.release.profile_hash, 'release_mismatch', 'profile_hash'),
]

const ofContract = (offer: Offer, input: OfferToAppraise): readonly Statement[] => {
  const { contract, artefacts, keyset, guardianPolicyHash } = input
  const policy = contract.enforcement_policy_hash ?? offer.guardian_policy_hash
  return [
    same(offer.contract_hash, contractHash(contract), 'contract_mismatch', 'contract_hash'),
    ...artefactStatements(contract, artefacts),
    ...contractTerms(contract, artefacts, offer),
    ...egressStatements(offer),
    same(offer.guardian_policy_hash, policy, 'policy_mismatch', 'guardian_policy_hash'),
    {
      holds: meets(guardianPolicyHash, offer.guardian_policy_hash),
      code: 'policy_mismatch',
      what: 'guardian_policy_hash',
    },
    ...relayKeyStatements(contract, keyset.receiptKey),
  ]
}

const ofCapacity = (
  { capacity, ledger }: Offer,
  { contract, artefacts }: OfferToAppraise,
): readonly Statement[] => {
  const counted = recount(outputSchemaOf(contract, artefacts), evaluatorOf(contract))
  return [
    {
      holds: counted !== null && hash(counted) === hash(capacity),
      code: 'capacity_mismatch',
      what: 'capacity',
    },
    { holds: !exceeds(capacity, contract), code: 'capacity_mismatch', what: 'entropy_budget_bits' },
    ...ledger.map(({ role, charge_millibits }) =>
      same(charge_millibits, capacity.charge_millibits, 'capacity_mismatch', `ledger of the ${role}`),
    ),
  ]
}

const recount = (schema: JsonValue, evaluator: Evaluator): Capacity | null => {
  const compiled = compileOutputSchema(schema)
  return compiled.ok ? capacityOf(compiled.shape.outputs, agentVaultBits(schema), evaluator) : null
}

const exceeds = ({ bits }: Capacity, { entropy_budget_bits, entropy_enforcement }: Contract): boolean =>
  (entropy_enforcement === 'Gate' || entropy_enforcement === 'Strict') &&
  entropy_budget_bits !== null &&
  bits > entropy_budget_bits

const ofParticipants = (offer: Offer, input: OfferToAppraise): readonly Statement[] => {
  const { contract, ownRole, ownDid, ownNonce, peerDids } = input
  const { participants } = offer
  const own = participants.find(({ role }) => role === ownRole)
  const peers = participants.filter(({ role }) => role !== ownRole)
  return [
    same(participants.length, contract.participants.length, 'participants_mismatch', 'participants'),
    ...participants.map(({ participant_id }, seat) =>
      same(participant_id, contract.participants[seat] ?? null, 'participants_mismatch', 'participants'),
    ),
    same(own?.did ?? null, ownDid, 'participants_mismatch', `did of the ${ownRole}`),
    same(own?.nonce ?? null, ownNonce, 'nonce_mismatch', `nonce of the ${ownRole}`),
    ...peers.flatMap(({ role, did }, index) => ofPeer(role, did, peerDids[index])),
    ...peers.map(({ role, did }) => ({
      // Under two names one key would confer with itself.
      holds: !participants.some((other) => other.role !== role && isSameKey(other.did, did)),
      code: 'participants_mismatch' as const,
      what: `did of the ${role}`,
    })),
  ]
}

const ofPeer = (
  role: Role,
  did: string,
  expected: ReferenceValue<string> | undefined,
): readonly Statement[] => [
  {
    holds: expected !== undefined && meets(expected, did),
    code: 'participants_mismatch',
    what: `did of the ${role}`,
  },
]
