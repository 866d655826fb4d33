import { evaluateProgram } from '@parley/guardian'
import {
  type AuditEntry,
  auditLeaf,
  type Bundle,
  commitInput,
  commitOutput,
  type JsonValue,
  ledgerHead,
  logOrigin,
  NO_ARTEFACTS,
  type Offer,
  offerDigest,
  type ReceiptCore,
  receiptLeaf,
  type Role,
  signCheckpoint,
  signPossession,
  signReceipt,
  toBase64url,
  toHex,
  type Transcript,
  transcriptHash,
} from '@parley/protocol'
import { type DoubleKeys, evidenceOf, NOW_SECONDS } from './keys.js'
import { debitOf, type DoubleSeat } from './seat.js'
import { admitted, contract, policy } from './terms.js'

type Ending = {
  readonly offer: Offer
  readonly seats: readonly [DoubleSeat, DoubleSeat]
  /** Who asks: an owner's figures are shown to it only. */
  readonly role: Role
  /** Whether the hardware path is there already. */
  readonly present: boolean
}

const OUTCOME = { status: 'COMPLETED', abort_class: null } as const
const SALT = toBase64url(new Uint8Array(32).fill(9))

/** The bundle of a completed session, every digest and signature in it real. */
export const bundleOf = (keys: DoubleKeys, { offer, seats, role, present }: Ending): Bundle => {
  const { keyset, receiptKey } = keys
  const after = [
    debitOf(keys, seats[0].head, offer.session_id),
    debitOf(keys, seats[1].head, offer.session_id),
  ] as const
  const output = outputOf(seats)
  const output_commitment = commitOutput(keyset.lane, {
    session_id: offer.session_id,
    salt: SALT,
    output,
    findings: [],
  })
  const heads = ([0, 1] as const).map((seat) => ({
    head_before: ledgerHead(seats[seat].head),
    head_after: ledgerHead(after[seat]),
  }))
  const row = (seat: 0 | 1): Transcript['participants'][number] => ({
    role: seats[seat].role,
    consent: seats[seat].consent?.signature ?? null,
    encapsulation: seats[seat].encapsulation ?? null,
    head_before: heads[seat]?.head_before ?? null,
    head_after: heads[seat]?.head_after ?? null,
    narrowed_commitment: null,
  })
  const transcript: Transcript = {
    version: 'parley-transcript-v1',
    lane: keyset.lane,
    session_id: offer.session_id,
    offer_digest: offerDigest(offer),
    participants: [row(0), row(1)],
    output_commitment,
    outcome: OUTCOME,
  }
  const audit = auditOf(keys, transcript)
  const core = coreOf(keys, { offer, seats, transcript, audit: audit.proof })
  const evidence = evidenceOf(keys, null)
  return {
    version: 'parley-bundle-v1',
    artefacts: NO_ARTEFACTS,
    receipt: signReceipt(core, receiptKey),
    contract,
    guardian_policy: policy,
    offer,
    consents: [seats[0].consent ?? null, seats[1].consent ?? null],
    transcript,
    openings: {
      output: { role: null, salt: SALT, output, findings: [] },
      inputs: [],
      ledger: ([0, 1] as const)
        .filter((seat) => seats[seat].role === role)
        .map((seat) => ({ role, before: seats[seat].head, after: after[seat] })),
      audit: audit.opening,
    },
    evidence,
    provider_evidence: null,
    hardware_path: present
      ? { status: 'present', binding: bindingOf(keys, core) }
      : { status: 'pending', binding: null },
  }
}

const outputOf = ([initiator, responder]: Ending['seats']): JsonValue => {
  if (admitted.program === null) throw new Error('no program')
  const evaluation = evaluateProgram(admitted.program, {
    initiator: initiator.opened?.input ?? null,
    responder: responder.opened?.input ?? null,
  })
  if (!evaluation.ok) throw new Error(evaluation.code)
  return evaluation.value
}

const auditOf = ({ keyset, logKey }: DoubleKeys, transcript: Transcript) => {
  const { session_id } = transcript
  const entry: AuditEntry = {
    version: 'parley-audit-v1',
    seq: 0,
    at: NOW_SECONDS,
    previous: '0'.repeat(64),
    event: 'session.ended',
    fields: { session_id, transcript_hash: transcriptHash(transcript), outcome: OUTCOME },
  }
  const opening = { entry, salt: SALT }
  const leaf = auditLeaf(keyset.lane, opening)
  const checkpoint = signCheckpoint({ origin: logOrigin(keyset.epoch), size: 1, root: leaf }, logKey)
  return { opening, proof: { checkpoint, leaf_index: 0, leaf_hash: toHex(leaf), path: [] } }
}

const coreOf = (
  { keyset, keysetDigest }: DoubleKeys,
  {
    offer,
    seats,
    transcript,
    audit,
  }: Pick<Ending, 'offer' | 'seats'> & { transcript: Transcript; audit: ReceiptCore['audit'] },
): ReceiptCore => {
  const party = (seat: 0 | 1): ReceiptCore['participants'][number] => {
    const { role, did, opened } = seats[seat]
    const row = transcript.participants[seat]
    return {
      role,
      participant_id: contract.participants[seat] ?? '',
      did,
      input_commitment:
        opened === undefined
          ? null
          : commitInput(keyset.lane, { session_id: offer.session_id, role, ...opened }),
      head_before: row?.head_before ?? null,
      head_after: row?.head_after ?? null,
      narrowed_commitment: null,
    }
  }
  return {
    version: 'parley-receipt-v1',
    lane: keyset.lane,
    assurance_level: 'SELF_ASSERTED',
    session_id: offer.session_id,
    relay: { keyset_digest: keysetDigest, epoch: keyset.epoch, ...keyset.release },
    contract_hash: offer.contract_hash,
    output_schema_hash: offer.output_schema_hash,
    evaluator: offer.evaluator,
    program_hash: offer.program_hash,
    prompt_program_hash: null,
    model_profile_hash: null,
    guardian_policy_hash: offer.guardian_policy_hash,
    provider_account: null,
    egress_channel: 'none',
    model_asserted: null,
    model_returned: null,
    model_file_hash: null,
    provider_evidence: null,
    capacity: offer.capacity,
    offer_digest: transcript.offer_digest,
    participants: [party(0), party(1)],
    outcome: OUTCOME,
    output_commitment: transcript.output_commitment,
    advisories: [],
    audit,
    transcript_hash: transcriptHash(transcript),
    tee: null,
    issued_at: NOW_SECONDS,
    time_source: 'host',
  }
}

const bindingOf = ({ keyset, keysetDigest, receiptKey }: DoubleKeys, core: ReceiptCore) => {
  const root = toHex(receiptLeaf(core))
  const possession = signPossession(
    keyset.lane,
    { keyset_digest: keysetDigest, tree_size: 1, root },
    receiptKey,
  )
  return { tree_size: 1, leaf_index: 0, path: [], possession, hardware: null }
}
