import {
  AUDIT_GENESIS,
  auditEntryHash,
  auditLeaf,
  type AuditOpening,
  type Bundle,
  type Capacity,
  commitInput,
  commitOutput,
  type Consent,
  type Contract,
  contractHash,
  hash,
  inclusionPath,
  type JsonObject,
  ledgerHead,
  type LedgerEntry,
  logOrigin,
  NO_ARTEFACTS,
  type Offer,
  offerDigest,
  purposeLeaf,
  receiptCore,
  receiptCoreHash,
  type Receipt,
  type Role,
  rolesOf,
  signCheckpoint,
  signConsent,
  signLedgerEntry,
  signOffer,
  signReceipt,
  toHex,
  type Transcript,
  transcriptHash,
  treeRoot,
} from '@parley/protocol'
import {
  bind,
  didOf,
  evidence,
  fixed,
  keyOf,
  keys,
  keyset,
  keyset_digest,
  lane,
  nonce,
  policy_bundle_hash,
  profile_hash,
  start,
} from './example-relay.js'

/** What makes one example session another than the next. */
export type Scenario = {
  /** Stands before the name of whatever is drawn for this session. */
  readonly name: string
  readonly contract: Contract
  readonly guardianPolicy: JsonObject
  readonly capacity: Capacity
  /** In role order. */
  readonly inputs: readonly JsonObject[]
  readonly output: JsonObject
  readonly findings: readonly string[]
  /** What each narrowed participant gets. */
  readonly narrowed: readonly { readonly role: Role; readonly output: JsonObject }[]
  /** In the hands of whom its bundle is. */
  readonly holder: Role
}

/** Every object of one session that was completed. */
export type ExampleSession = {
  readonly session_id: string
  readonly offer: Offer
  readonly consents: readonly Consent[]
  readonly debit: LedgerEntry
  readonly transcript: Transcript
  readonly ended: AuditOpening
  readonly checkpoint: string
  readonly receipt: Receipt
  readonly inputCommitment: string
  readonly bundle: Bundle
}

const openEntry = (named: (what: string) => string, role: Role): LedgerEntry =>
  signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane,
      keyset_digest,
      owner: didOf(role),
      tag: 'price-limit',
      seq: 0,
      previous: null,
      kind: 'open',
      session_id: null,
      before_millibits: 0,
      charge_millibits: 0,
      after_millibits: 0,
      limit_millibits: 20_000,
      at: start,
      salt: nonce(named(`${role} open entry`)),
    },
    keys.receipt,
  )

/** Plays a session from its offer to its bundle. */
export function playSession(scenario: Scenario): ExampleSession {
  const { contract, guardianPolicy, capacity, inputs, output, findings, narrowed, holder } = scenario
  const named = (what: string): string => `${scenario.name}${what}`
  const session_id = toHex(fixed(named('session')))
  const roles = rolesOf(contract.participants.length)
  const outcome = { status: 'COMPLETED' as const, abort_class: null }

  const parties = roles.map((role, seat) => {
    const before = openEntry(named, role)
    const { signature: _, ...unsigned } = before
    const after = signLedgerEntry(
      {
        ...unsigned,
        seq: 1,
        previous: ledgerHead(before),
        kind: 'debit',
        session_id,
        before_millibits: before.after_millibits,
        charge_millibits: capacity.charge_millibits,
        after_millibits: before.after_millibits + capacity.charge_millibits,
        at: start + 9,
        salt: nonce(named(`${role} debit entry`)),
      },
      keys.receipt,
    )
    const input = { role, salt: nonce(named(`${role} salt`)), input: inputs[seat] ?? null }
    const part = narrowed.find((row) => row.role === role)
    const opened = { session_id, role, salt: nonce(named(`${role} output salt`)), findings: [] }
    return {
      role,
      participant_id: contract.participants[seat] ?? '',
      before,
      after,
      heads: { head_before: ledgerHead(before), head_after: ledgerHead(after) },
      input,
      part: part === undefined ? null : { ...opened, output: part.output },
    }
  })
  const commitmentOf = (part: (typeof parties)[number]['part']): string | null =>
    part === null ? null : commitOutput(lane, part)

  const terms = {
    contract_hash: contractHash(contract),
    output_schema_hash: hash(contract.output_schema),
    evaluator: 'cel' as const,
    program_hash: contract.program === undefined ? null : hash(contract.program),
    prompt_program_hash: null,
    model_profile_hash: null,
    guardian_policy_hash: hash(guardianPolicy),
    provider_account: null,
    egress_channel: 'none' as const,
  }
  const offer: Offer = signOffer(
    {
      version: 'parley-offer-v1',
      lane,
      session_id,
      ...terms,
      capacity,
      participants: parties.map(({ role, participant_id }) => ({
        role,
        participant_id,
        did: didOf(role),
        nonce: nonce(named(`${role} nonce`)),
      })),
      open_join: false,
      policy_bundle_hash,
      profile_hash,
      ledger: parties.map(({ role, heads }) => ({
        role,
        head: heads.head_before,
        charge_millibits: capacity.charge_millibits,
      })),
      release_bytes: 65_536,
      keyset_digest,
      created_at: start + 1,
      expires_at: start + 3601,
    },
    keys.receipt,
  )
  const offer_digest = offerDigest(offer)
  const consents = roles.map((role) => signConsent({ lane, role, offer_digest }, keyOf(role)))

  const whole = { role: null, salt: nonce(named('output salt')), output, findings: [...findings] }
  const output_commitment = commitOutput(lane, { session_id, ...whole })
  const transcript: Transcript = {
    version: 'parley-transcript-v1',
    lane,
    session_id,
    offer_digest,
    participants: parties.map(({ role, heads, part }, seat) => ({
      role,
      consent: consents[seat]?.signature ?? null,
      encapsulation: toHex(fixed(named(`${role} encapsulated input`))),
      ...heads,
      narrowed_commitment: commitmentOf(part),
    })),
    output_commitment,
    outcome,
  }

  const started = {
    entry: {
      version: 'parley-audit-v1' as const,
      seq: 0,
      at: start,
      previous: AUDIT_GENESIS,
      event: 'relay.started' as const,
      fields: { keyset_digest, profile: 'software' as const },
    },
    salt: nonce('first audit salt'),
  }
  const ended = {
    entry: {
      version: 'parley-audit-v1' as const,
      seq: 1,
      at: start + 9,
      previous: auditEntryHash(lane, started.entry),
      event: 'session.ended' as const,
      fields: { session_id, transcript_hash: transcriptHash(transcript), outcome },
    },
    salt: nonce(named('second audit salt')),
  }
  const leaves = [auditLeaf(lane, started), auditLeaf(lane, ended)]
  const checkpoint = signCheckpoint(
    { origin: logOrigin(keyset.epoch), size: 2, root: treeRoot(leaves) },
    keys.log,
  )

  const receipt = signReceipt(
    {
      version: 'parley-receipt-v1',
      lane,
      assurance_level: 'SELF_ASSERTED',
      session_id,
      relay: { keyset_digest, epoch: keyset.epoch, ...keyset.release },
      ...terms,
      model_asserted: null,
      model_returned: null,
      model_file_hash: null,
      provider_evidence: null,
      capacity,
      offer_digest,
      participants: parties.map(({ role, participant_id, input, heads, part }) => ({
        role,
        participant_id,
        did: didOf(role),
        input_commitment: commitInput(lane, { session_id, ...input }),
        ...heads,
        narrowed_commitment: commitmentOf(part),
      })),
      outcome,
      output_commitment,
      advisories: [],
      audit: {
        checkpoint,
        leaf_index: 1,
        leaf_hash: toHex(auditLeaf(lane, ended)),
        path: inclusionPath(leaves, 1).map(toHex),
      },
      transcript_hash: transcriptHash(transcript),
      tee: null,
      issued_at: start + 9,
      time_source: 'host',
    },
    keys.receipt,
  )

  const own = parties.find(({ role }) => role === holder)
  if (own === undefined) throw new Error(`there is no ${holder} in the example`)
  const part = own.part && { role: holder, salt: own.part.salt, output: own.part.output, findings: [] }
  const bundle: Bundle = {
    version: 'parley-bundle-v1',
    receipt,
    contract,
    artefacts: NO_ARTEFACTS,
    guardian_policy: guardianPolicy,
    offer,
    consents: [...consents],
    transcript,
    openings: {
      output: part ?? whole,
      inputs: parties.map(({ input }) => input),
      ledger: [{ role: holder, before: own.before, after: own.after }],
      audit: ended,
    },
    evidence,
    provider_evidence: null,
    hardware_path: { status: 'present', binding: bind(receiptLeafOf(receipt)) },
  }
  return {
    session_id,
    offer,
    consents,
    debit: own.after,
    transcript,
    ended,
    checkpoint,
    receipt,
    inputCommitment: commitInput(lane, { session_id, ...own.input }),
    bundle,
  }
}

/** The leaf by which a report binds a receipt. */
export function receiptLeafOf(receipt: Receipt): Uint8Array {
  const { session_id } = receipt
  return purposeLeaf(lane, 'receipt', { session_id, receipt_core_hash: receiptCoreHash(receiptCore(receipt)) })
}
