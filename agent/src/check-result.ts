import {
  type Bundle,
  commitInput,
  contractHash,
  type LedgerEntry,
  offerDigest,
  type Receipt,
  transcriptHash,
  verifyReceipt,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { checkNewHead } from './check-new-head.js'
import type { Session } from './session.js'
import type { SessionRecord } from './session-record.js'

/**
 * Holds a result against what this participant knows itself: its session, contract, offer and consent, its input's
 * commitment, the encapsulation that it sent, its ledger head. A verifier that was not there can't do that.
 * @returns the owner's new ledger entry; null where the session charged nothing
 * @throws AgentError `result_mismatch`, `ledger_mismatch`
 * @throws ProtocolError `signature_invalid`
 */
export const checkResult = ({ file, relay }: Session, bundle: Bundle): LedgerEntry | null => {
  const { record } = file
  verifyReceipt(bundle.receipt, relay.keyset.receiptKey)
  for (const [what, holds] of ownFacts(record, bundle))
    if (!holds)
      throw new AgentError('result_mismatch', `the result is not of what was agreed and sent: ${what}`)
  return isEvaluated(bundle.receipt) ? checkNewHead(record, bundle, relay.keyset.receiptKey) : null
}

type Fact = readonly [what: string, holds: boolean]

const ownFacts = (record: SessionRecord, bundle: Bundle): readonly Fact[] => [
  ...sessionFacts(record, bundle),
  ...offerFacts(record, bundle),
  ...inputFacts(record, bundle),
]

const sessionFacts = (record: SessionRecord, { receipt, transcript, contract }: Bundle): readonly Fact[] => {
  const hash = contractHash(record.contract)
  return [
    ['lane', receipt.lane === record.lane],
    ['session_id', receipt.session_id === record.session_id && transcript.session_id === record.session_id],
    ['keyset_digest', receipt.relay.keyset_digest === record.keyset_digest],
    ['contract_hash', receipt.contract_hash === hash && contractHash(contract) === hash],
    ['transcript_hash', transcriptHash(transcript) === receipt.transcript_hash],
    ['did', own(record, receipt.participants).did === record.did],
    ['heads', isEvaluated(receipt) || own(record, receipt.participants).head_after === null],
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
    ['consent', consent === null ? !isEvaluated(receipt) : consent === record.consent?.signature],
    ['transcript consent', own(record, transcript.participants).consent === consent],
  ]
}

const inputFacts = (record: SessionRecord, { receipt, transcript }: Bundle): readonly Fact[] => {
  const { lane, session_id, role, input, input_accepted, encapsulations } = record
  const { input_commitment } = own(record, receipt.participants)
  const { encapsulation } = own(record, transcript.participants)
  const expected = input === null ? null : commitInput(lane, { session_id, role, ...input })
  const taken = input_accepted || isEvaluated(receipt)
  return [
    ['input_commitment', input_commitment === null ? !taken : input_commitment === expected],
    [
      'encapsulation',
      encapsulation === null ? input_commitment === null : encapsulations.includes(encapsulation),
    ],
  ]
}

const isEvaluated = ({ outcome }: Receipt): boolean =>
  outcome.abort_class === null ||
  outcome.abort_class === 'EVALUATION_FAILED' ||
  outcome.abort_class === 'OUTPUT_REFUSED'

const own = <T>({ role }: SessionRecord, rows: readonly [T, T]): T => rows[role === 'initiator' ? 0 : 1]
