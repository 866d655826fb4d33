import { compileOutputSchema } from '@parley/guardian'
import {
  type Artefacts,
  type Contract,
  contractHash,
  isJsonObject,
  type JsonValue,
  type Role,
  utf8,
} from '@parley/protocol'
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
  /** What the contract names by hash alone, as it came with the offer. */
  readonly artefacts: Artefacts
  readonly role: Role
  /** The DIDs that were named for the seats, in role order; null where nobody was. */
  readonly seats: readonly (string | null)[]
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

const whatRows = ({ offer, contract, artefacts }: ShownTerms): readonly Row[] => [
  ['purpose', contract.purpose_code],
  ...metadataRow(contract, 'title'),
  ...metadataRow(contract, 'summary'),
  ['contract', contractHash(contract)],
  ['evaluator', `${offer.evaluator}, egress: ${offer.egress_channel}`],
  ...programRow(offer, contract),
  ...modelRows(offer, artefacts),
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

// Whoever consents to a model consents to what it is told to do, and to whoever runs it.
const modelRows = (
  { provider_account: account }: AppraisedOffer,
  { model_profile: profile, prompt_program: prompt }: Artefacts,
): readonly Row[] =>
  profile === null || prompt === null
    ? []
    : [
        [
          'model',
          `${member(profile, 'provider')} ${member(profile, 'model_id')}${account === null ? ', inside the relay' : `, account ${account}`}`,
        ],
        ['prompt', member(prompt, 'system_instruction')],
      ]

const member = (object: JsonValue, name: string): string => {
  const value = isJsonObject(object) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}

const whoRows = ({ offer, role: own, seats }: ShownTerms): readonly Row[] => {
  const rows = offer.participants.map(({ role, participant_id, did }, seat) => {
    const openly = seats[seat] === null ? ' (joined openly: nobody named it)' : ''
    return { mine: role === own, name: `${participant_id}, ${role === own ? role : did}${openly}` }
  })
  return [
    ...rows.flatMap(({ mine, name }): Row[] => (mine ? [['you', name]] : [])),
    ...rows.flatMap(({ mine, name }): Row[] => (mine ? [] : [['with', name]])),
  ]
}

const priceRows = ({
  offer,
  contract,
  artefacts,
  role,
  tag,
  limitMillibits,
  spentMillibits,
}: ShownTerms): readonly Row[] => {
  const { outputs, outcomes, bits } = offer.capacity
  const ends = BigInt(outcomes) - BigInt(outputs)
  const charge = offer.ledger.find((row) => row.role === role)?.charge_millibits ?? 0
  return [
    [
      'tells',
      `one of ${outcomes} outcomes (${outputs} outputs and ${ends} ways to end without one), at most ${bits} bits`,
    ],
    ...outputRows(artefacts.output_schema ?? contract.output_schema),
    [
      'charge',
      `${bitsText(charge)} of "${tag}": ${bitsText(spentMillibits)} spent, limit ${bitsText(limitMillibits)}`,
    ],
    ['expires', new Date(offer.expires_at * 1000).toISOString()],
  ]
}

const outputRows = (schema: JsonValue): readonly Row[] => {
  const compiled = compileOutputSchema(schema)
  return compiled.ok ? outputLines(compiled.shape).map((line): Row => ['  output', line]) : []
}

const levelText = ({ keyset }: AttestedRelay): string =>
  [keyset.assuranceLevel, `${keyset.keyset.lane} lane`, ...(keyset.simulated ? ['SIMULATED'] : [])].join(', ')
