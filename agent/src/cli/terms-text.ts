import { compileOutputSchema } from '@parley/guardian'
import { type Contract, contractHash, isJsonObject, type Role, utf8 } from '@parley/protocol'
import type { AppraisedOffer } from '@parley/verifier'
import { printable } from '@parley/verifier/node'
import type { AttestedRelay } from '../attest-relay.js'
import { bitsText } from './parse-option.js'
import { outputLines } from './shape-text.js'

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

type Row = readonly [name: string, value: string]

const LONGEST_VALUE = 240

/** The terms of an appraised offer, one a line, each printable and of bounded length whatever a contract holds. */
export const termsText = (terms: ShownTerms): string =>
  [...whereRows(terms), ...whatRows(terms), ...whoRows(terms), ...priceRows(terms)]
    .map(([name, value]) => `${name.padEnd(10)}${shortened(printable(value))}\n`)
    .join('')

const shortened = (value: string): string =>
  value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}...` : value

const whereRows = ({ relay, offer }: ShownTerms): readonly Row[] => [
  ['session', offer.session_id],
  ['relay', `${relay.url}, ${levelText(relay)}`],
]

const whatRows = ({ offer, contract }: ShownTerms): readonly Row[] => [
  ['purpose', contract.purpose_code],
  ...metadataRow(contract, 'title'),
  ...metadataRow(contract, 'summary'),
  ['contract', contractHash(contract)],
  ['evaluator', `${offer.evaluator}, egress: ${offer.egress_channel}`],
  ...programRow(offer, contract),
]

// The text is whoever wrote the contract's: what counts is the rows below it.
const metadataRow = ({ metadata }: Contract, name: 'title' | 'summary'): readonly Row[] => {
  const value = isJsonObject(metadata) ? metadata[name] : undefined
  return typeof value === 'string' ? [[name, value]] : []
}

const programRow = ({ program_hash }: AppraisedOffer, { program }: Contract): readonly Row[] =>
  program === undefined || program_hash === null
    ? []
    : [['program', `${program_hash}, ${utf8(program.source).length} bytes`]]

const whoRows = ({ offer, role }: ShownTerms): readonly Row[] => {
  const [initiator, responder] = offer.participants
  const [own, peer] = role === 'initiator' ? [initiator, responder] : [responder, initiator]
  // Only the responder's seat can be taken openly: whoever made the session names itself.
  const openly = (seat: Role): string =>
    offer.open_join && seat === 'responder' ? ' (joined openly: nobody named it)' : ''
  return [
    ['you', `${own.participant_id}, ${own.role}${openly(own.role)}`],
    ['with', `${peer.participant_id}, ${peer.did}${openly(peer.role)}`],
  ]
}

const priceRows = ({
  offer,
  contract,
  role,
  tag,
  limitMillibits,
  spentMillibits,
}: ShownTerms): readonly Row[] => {
  const { outputs, outcomes, bits } = offer.capacity
  const ends = BigInt(outcomes) - BigInt(outputs)
  const charge = offer.ledger[role === 'initiator' ? 0 : 1].charge_millibits
  return [
    [
      'tells',
      `one of ${outcomes} outcomes (${outputs} outputs and ${ends} ways to end without one), at most ${bits} bits`,
    ],
    ...outputRows(contract),
    [
      'charge',
      `${bitsText(charge)} of "${tag}": ${bitsText(spentMillibits)} spent, limit ${bitsText(limitMillibits)}`,
    ],
    ['expires', new Date(offer.expires_at * 1000).toISOString()],
  ]
}

const outputRows = ({ output_schema }: Contract): readonly Row[] => {
  const compiled = compileOutputSchema(output_schema)
  return compiled.ok ? outputLines(compiled.shape).map((line): Row => ['  output', line]) : []
}

const levelText = ({ keyset }: AttestedRelay): string =>
  [keyset.assuranceLevel, `${keyset.keyset.lane} lane`, ...(keyset.simulated ? ['SIMULATED'] : [])].join(', ')
