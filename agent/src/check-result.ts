import {
  type Bundle,
  commitInput,
  contractHash,
  type LedgerEntry,
  offerDigest,
  seatOfRole,
  transcriptHash,
  verifyReceipt,
  wasEvaluated,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { checkNewHead } from './check-new-head.js'
import type { Session } from './session.js'
import { receiptKeyOf, type SessionRecord } from './session-record.js'

/**
 * Holds a result against what this participant knows itself: its session, contract, offer and consent, its input's
 * commitment, the encapsulation that it sent, its ledger head. A verifier that was not there can't do that.
 * @returns the owner's new ledger entry; null where the session charged nothing
 * @throws AgentError `result_mismatch`, `ledger_mismatch`
 * @throws ProtocolError `signature_invalid`
 */
export const checkResult = ({ file }: Session, bundle: Bundle): LedgerEntry | null => {
  const { record } = file
  // The key that the session was begun under: the relay that answers may have others by now.
  const receiptKey = receiptKeyOf(record)
  verifyReceipt(bundle.receipt, receiptKey)
  for (const [what, holds] of ownFacts(record, bundle))
    if (!holds)
      throw new AgentError('result_mismatch', `the result is not of what was agreed and sent: ${what}`)
  return wasEvaluated(bundle.receipt.outcome) ? checkNewHead(record, bundle, receiptKey) : null
}

type Fact = readonly [what: string, holds: boolean]

const ownFacts = (record: SessionRecord, bundle: Bundle): readonly Fact[] => [
  ...sessionFacts(record, bundle),
  ...offerFacts(record, bundle),
  ...inputFacts(record, bundle),
  ...outputFacts(record, bundle),
]

const sessionFacts = (record: SessionRecord, { receipt, transcript, contract }: Bundle): readonly Fact[] => {
  const hash = contractHash(record.contract)
  return [
    ['lane', receipt.lane === record.lane],
    ['session_id', receipt.session_id === record.session_id && transcript.session_id === record.session_id],
    ['keyset_digest', receipt.relay.keyset_digest === record.keyset_digest],
    ['contract_hash', receipt.contract_hash === hash && contractHash(contract) === hash],
    ['transcript_hash', transcriptHash(transcript) === receipt.transcript_hash],
    ['did', own(record, receipt.participants)?.did === record.did],
    ['heads', wasEvaluated(receipt.outcome) || own(record, receipt.participants)?.head_after === null],
  ]
}

const offerFacts = (
  record: SessionRecord,
  { receipt, transcript, offer, consents }: Bundle,
): readonly Fact[] => {
  const known = record.offer === null ? null : offerDigest(record.offer)
  const received = offer === null ? null : offerDigest(offer)
  const consent = own(record, consents)?.signature ?? null
  return [
    ['offer_digest', received === receipt.offer_digest && (known === null || known === received)],
    ['consent', consent === null ? !wasEvaluated(receipt.outcome) : consent === record.consent?.signature],
    ['transcript consent', own(record, transcript.participants)?.consent === consent],
  ]
}

const inputFacts = (record: SessionRecord, { receipt, transcript }: Bundle): readonly Fact[] => {
  const { lane, session_id, role, input, input_accepted, encapsulations } = record
  const input_commitment = own(record, receipt.participants)?.input_commitment ?? null
  const encapsulation = own(record, transcript.participants)?.encapsulation ?? null
  const expected = input === null ? null : commitInput(lane, { session_id, role, ...input })
  const taken = input_accepted || wasEvaluated(receipt.outcome)
  return [
    ['input_commitment', input_commitment === null ? !taken : input_commitment === expected],
    [
      'encapsulation',
      encapsulation === null ? input_commitment === null : encapsulations.includes(encapsulation),
    ],
  ]
}

// What is shown of the output is the whole, or this participant's own part where it has one.
const outputFacts = (record: SessionRecord, { receipt, openings }: Bundle): readonly Fact[] => {
  const narrowed = own(record, receipt.participants)?.narrowed_commitment ?? null
  const shown = openings.output?.role ?? null
  return [['output', openings.output !== null && shown === (narrowed === null ? null : record.role)]]
}

const own = <T>({ role }: SessionRecord, rows: readonly T[]): T | undefined => rows[seatOfRole(role)]
