import { type Contract, contractHash, type Role } from '@parley/protocol'
import type { AppraisedOffer } from '@parley/verifier'
import type { AttestedRelay } from '../attest-relay.js'
import { bitsText } from './parse-option.js'

/** What somebody who is to consent must see. */
export type ShownTerms = {
  readonly relay: AttestedRelay
  readonly offer: AppraisedOffer
  readonly contract: Contract
  readonly role: Role
  readonly tag: string
  readonly limitMillibits: number
  readonly spentMillibits: number
}

/** The terms of an appraised offer, one a line. Every value here is of a closed form and printable. */
export const termsText = ({
  relay,
  offer,
  contract,
  role,
  tag,
  limitMillibits,
  spentMillibits,
}: ShownTerms): string => {
  const [own, peer] =
    role === 'initiator' ? offer.participants : [offer.participants[1], offer.participants[0]]
  const { capacity, egress_channel } = offer
  const charge = offer.ledger[role === 'initiator' ? 0 : 1].charge_millibits
  const rows: readonly (readonly [string, string])[] = [
    ['session', offer.session_id],
    ['relay', `${relay.url}, ${levelText(relay)}`],
    ['purpose', contract.purpose_code],
    ['contract', contractHash(contract)],
    ['you', `${own.participant_id}, ${role}`],
    [
      'with',
      `${peer.participant_id}, ${peer.did}${offer.open_join ? ' (joined openly: nobody named it)' : ''}`,
    ],
    ['evaluator', `${offer.evaluator}, egress: ${egress_channel}`],
    ['tells', `one of ${capacity.outcomes} outcomes, at most ${capacity.bits} bits`],
    [
      'charge',
      `${bitsText(charge)} of "${tag}": ${bitsText(spentMillibits)} spent, limit ${bitsText(limitMillibits)}`,
    ],
    ['expires', new Date(offer.expires_at * 1000).toISOString()],
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)}${value}\n`).join('')
}

const levelText = ({ keyset }: AttestedRelay): string =>
  [keyset.assuranceLevel, `${keyset.keyset.lane} lane`, ...(keyset.simulated ? ['SIMULATED'] : [])].join(', ')
