import {
  agentVaultBits,
  capacityOf,
  compileOutputSchema,
  compileProgram,
  evaluateProgram,
} from '@parley/guardian'
import {
  type Artefacts,
  AUDIT_GENESIS,
  auditEntryHash,
  auditLeaf,
  type AuditOpening,
  type Binding,
  type Bundle,
  canonicalBytes,
  commitInput,
  commitOutput,
  type Contract,
  contractHash,
  encodeKeyConfigs,
  type Evidence,
  evaluatorOf,
  formatDid,
  fromBase64url,
  gatewayKeyFromBytes,
  type Hardware,
  hash,
  inclusionPath,
  type JsonObject,
  type JsonValue,
  type Keyset,
  keysetDigest,
  keysetLeaf,
  type Lane,
  type LedgerEntry,
  ledgerHead,
  logOrigin,
  NO_ARTEFACTS,
  type Offer,
  offerDigest,
  type Outcome,
  type ReceiptCore,
  receiptLeaf,
  reportDataOf,
  sha256,
  signCheckpoint,
  signConsent,
  type SigningKey,
  signingKeyFromSeed,
  signLedgerEntry,
  signOffer,
  signPossession,
  signReceipt,
  toBase64url,
  toHex,
  type Transcript,
  transcriptHash,
  treeRoot,
  utf8,
} from '@parley/protocol'
import { without } from './without.js'

/** Asks a secure processor for a report over 64 bytes; null in the software lane. */
export type Reporter = ((reportData: Uint8Array) => Promise<Hardware>) | null

/** Lets a test be a relay that lies: each hook changes an object before it is signed. */
export type Lies = {
  readonly keyset?: (honest: Keyset) => Keyset
  readonly contract?: (honest: Contract) => Contract
  readonly guardianPolicy?: JsonObject
  readonly artefacts?: Artefacts
  readonly providerEvidence?: Evidence
  readonly offer?: (honest: Omit<Offer, 'signature'>) => Omit<Offer, 'signature'>
  readonly open?: (honest: Omit<LedgerEntry, 'signature'>) => Omit<LedgerEntry, 'signature'>
  readonly debit?: (honest: Omit<LedgerEntry, 'signature'>) => Omit<LedgerEntry, 'signature'>
  readonly inputs?: Readonly<Record<Seat, JsonValue>>
  readonly output?: JsonValue
  readonly findings?: readonly string[]
  readonly outcome?: Outcome
  readonly transcript?: (honest: Transcript) => Transcript
  readonly ended?: (honest: AuditOpening) => AuditOpening
  readonly core?: (honest: ReceiptCore) => ReceiptCore
  readonly bootNonce?: string
  readonly consenter?: SigningKey
}

/** The relay's and the participants' keys, the same in every minted bundle. */
const fixed = (what: string): Uint8Array => sha256(utf8(`parley minted bundle: ${what}`))
const nonce = (what: string): string => toBase64url(fixed(what))
export const KEYS = {
  receipt: signingKeyFromSeed(fixed('receipt key')),
  log: signingKeyFromSeed(fixed('log key')),
  initiator: signingKeyFromSeed(fixed('initiator')),
  responder: signingKeyFromSeed(fixed('responder')),
  stranger: signingKeyFromSeed(fixed('stranger')),
}

/** The DID of a participant. */
export const didOf = ({ publicKey }: SigningKey): string =>
  formatDid({ namespace: 'self', kind: 'agent', publicKey })

/** When the minted keyset begins, in Unix seconds. */
export const START = 1_790_000_000

/** A time at which the minted keyset is valid, in milliseconds. */
export const NOW = (START + 600) * 1000

const SEATS = ['initiator', 'responder'] as const
/** A role of a minted session: there are two participants. */
type Seat = (typeof SEATS)[number]
const NAMES: Readonly<Record<Seat, string>> = { initiator: 'buyer', responder: 'seller' }
const price = (member: string): JsonObject => ({
  type: 'object',
  properties: { [member]: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
  required: [member],
  additionalProperties: false,
})

const program = {
  language: 'cel' as const,
  source: '{"overlap": initiator.ceiling >= responder.floor ? "YES" : "NO"}',
  cost_limit: 1000,
}

/** The contract of every minted bundle, before a lie. */
export const CONTRACT: Contract = {
  purpose_code: 'NEGOTIATION',
  output_schema_id: 'minted_overlap_v1',
  output_schema: {
    type: 'object',
    properties: { overlap: { type: 'string', enum: ['NO', 'YES'] } },
    required: ['overlap'],
    additionalProperties: false,
  },
  participants: [NAMES.initiator, NAMES.responder],
  prompt_template_hash: null,
  entropy_budget_bits: 3,
  timing_class: null,
  metadata: null,
  model_profile_id: null,
  entropy_enforcement: 'Gate',
  evaluator: 'cel',
  program,
  program_hash: hash(program),
  input_schemas: { initiator: price('ceiling'), responder: price('floor') },
}

const GUARDIAN_POLICY: JsonObject = {
  policy_version: '1',
  policy_id: 'minted_v1',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [],
  entropy_constraints: null,
}

/** The keyset of every minted bundle, before a lie. */
export const keysetOf = (lane: Lane): Keyset => ({
  version: 'parley-keyset-v1',
  lane,
  platform: lane === 'confidential' ? 'sev-snp' : 'software',
  epoch: toHex(fixed('epoch').slice(0, 16)),
  ohttp_keys: toBase64url(encodeKeyConfigs([gatewayKeyFromBytes(7, fixed('ohttp key')).config])),
  receipt_key: toBase64url(KEYS.receipt.publicKey),
  log_key: toBase64url(KEYS.log.publicKey),
  boot_ak: null,
  release: {
    version: '0.1.0',
    image_digest: lane === 'confidential' ? toHex(fixed('image')) : null,
    policy_bundle_hash: toHex(fixed('policy bundle')),
    profile: lane,
    profile_hash: toHex(fixed('profile')),
  },
  not_before: START,
  not_after: START + 86_400,
  previous: null,
})

/** Hangs a leaf on a report, or on nothing but the receipt key in the software lane. */
export const bind = async (keyset: Keyset, leaf: Uint8Array, reporter: Reporter): Promise<Binding> => {
  const leaves = [leaf, fixed('padding leaf')]
  const head = { keyset_digest: keysetDigest(keyset), tree_size: 2, root: toHex(treeRoot(leaves)) }
  return {
    tree_size: 2,
    leaf_index: 0,
    path: inclusionPath(leaves, 0).map(toHex),
    possession: signPossession(keyset.lane, head, KEYS.receipt),
    hardware: reporter === null ? null : await reporter(reportDataOf(keyset.lane, head)),
  }
}

/** An evidence document with a caller's nonce in its leaf, or that of boot. */
export const mintEvidence = async (
  keyset: Keyset,
  ownNonce: string | null,
  reporter: Reporter,
): Promise<Evidence> => ({
  version: 'parley-evidence-v1',
  keyset,
  nonce: ownNonce,
  binding: await bind(keyset, keysetLeaf(keyset, ownNonce), reporter),
})

const capacityOfContract = (contract: Contract, output_schema: JsonObject) => {
  const compiled = compileOutputSchema(output_schema)
  return compiled.ok
    ? capacityOf(compiled.shape.outputs, agentVaultBits(output_schema), evaluatorOf(contract))
    : { outputs: '2', outcomes: '6', bits: 3, charge_millibits: 2585, agentvault_bits: 1 }
}

const levelOf = (lane: Lane, evidence: Evidence | null): ReceiptCore['assurance_level'] => {
  if (lane === 'software') return 'SELF_ASSERTED'
  return evidence === null ? 'TEE_ATTESTED' : 'PROVIDER_ATTESTED'
}

/** The file of the local model of minted bundles. */
const MODEL_FILE = toHex(fixed('model file'))

const modelOf = (contract: Contract, { model_profile: profile, prompt_program: prompt }: Artefacts) => {
  const isLlm = evaluatorOf(contract) === 'llm'
  return {
    terms: {
      prompt_program_hash: prompt === null ? null : hash(prompt),
      model_profile_hash: profile === null ? null : hash(profile),
      provider_account: isLlm ? 'acme' : null,
      egress_channel: isLlm ? ('unbounded' as const) : ('none' as const),
    },
    receipt: {
      model_asserted: typeof profile?.['model_id'] === 'string' ? profile['model_id'] : null,
      model_returned: isLlm ? 'a-name' : null,
      model_file_hash: evaluatorOf(contract) === 'local' ? MODEL_FILE : null,
    },
  }
}

const run = (contract: Contract, inputs: Readonly<Record<Seat, JsonValue>>): JsonValue => {
  const compiled = compileProgram(contract.program ?? program)
  const evaluation = compiled.ok ? evaluateProgram(compiled.program, inputs) : null
  return evaluation?.ok === true ? evaluation.value : null
}

/** One honest session, from keyset to bundle, under fixed keys; or one that lies where it is told to. */
export const mintBundle = async (lane: Lane, reporter: Reporter, lies: Lies = {}): Promise<Bundle> => {
  const keyset = (lies.keyset ?? same)(keysetOf(lane))
  const keyset_digest = keysetDigest(keyset)
  const contract = (lies.contract ?? same)(CONTRACT)
  const guardian_policy = lies.guardianPolicy ?? GUARDIAN_POLICY
  const artefacts = lies.artefacts ?? NO_ARTEFACTS
  const output_schema = artefacts.output_schema ?? contract.output_schema
  const capacity = capacityOfContract(contract, output_schema)
  const model = modelOf(contract, artefacts)
  const provider_evidence = lies.providerEvidence ?? null
  const session_id = toHex(fixed('session'))
  const outcome: Outcome = lies.outcome ?? { status: 'COMPLETED', abort_class: null }
  const evidence = await mintEvidence(keyset, lies.bootNonce ?? null, reporter)

  const openEntry = (role: Seat): LedgerEntry =>
    signLedgerEntry(
      (lies.open ?? same)({
        version: 'parley-ledger-v1',
        lane,
        keyset_digest,
        owner: didOf(KEYS[role]),
        tag: 'price-limit',
        seq: 0,
        previous: null,
        kind: 'open',
        session_id: null,
        before_millibits: 0,
        charge_millibits: 0,
        after_millibits: 0,
        limit_millibits: 20_000,
        at: START + 1,
        salt: nonce(`${role} open entry`),
      }),
      KEYS.receipt,
    )
  const debitEntry = (role: Seat, before: LedgerEntry): LedgerEntry => {
    const entry = without(before, 'signature')
    return signLedgerEntry(
      (lies.debit ?? same)({
        ...entry,
        seq: 1,
        previous: ledgerHead(before),
        kind: 'debit',
        session_id,
        before_millibits: before.after_millibits,
        charge_millibits: capacity.charge_millibits,
        after_millibits: before.after_millibits + capacity.charge_millibits,
        at: START + 9,
        salt: nonce(`${role} debit entry`),
      }),
      KEYS.receipt,
    )
  }
  const opened = { initiator: openEntry('initiator'), responder: openEntry('responder') }
  const evaluated = outcome.abort_class !== 'EXPIRED' && outcome.abort_class !== 'CANCELLED'
  const debited = {
    initiator: debitEntry('initiator', opened.initiator),
    responder: debitEntry('responder', opened.responder),
  }
  // Nothing is charged without an evaluation, and then no head stands anywhere.
  const heads = (role: Seat) => ({
    head_before: evaluated ? ledgerHead(opened[role]) : null,
    head_after: evaluated ? ledgerHead(debited[role]) : null,
  })

  const terms = {
    contract_hash: contractHash(contract),
    output_schema_hash: hash(output_schema),
    evaluator: evaluatorOf(contract),
    program_hash: contract.program === undefined ? null : hash(contract.program),
    ...model.terms,
    guardian_policy_hash: hash(guardian_policy),
  }
  const party = (role: Seat) => ({
    role,
    participant_id: NAMES[role],
    did: didOf(KEYS[role]),
    nonce: nonce(`${role} nonce`),
  })
  const charge = (role: Seat) => ({
    role,
    head: ledgerHead(opened[role]),
    charge_millibits: capacity.charge_millibits,
  })
  const { policy_bundle_hash, profile_hash } = keyset.release
  const offer = signOffer(
    (lies.offer ?? same)({
      version: 'parley-offer-v1',
      lane,
      session_id,
      ...terms,
      capacity,
      participants: [party('initiator'), party('responder')],
      open_join: false,
      policy_bundle_hash,
      profile_hash,
      ledger: [charge('initiator'), charge('responder')],
      release_bytes: 65_536,
      keyset_digest,
      created_at: START + 1,
      expires_at: START + 3601,
    }),
    KEYS.receipt,
  )
  const consent = (role: Seat) =>
    signConsent({ lane, role, offer_digest: offerDigest(offer) }, lies.consenter ?? KEYS[role])
  const consents = { initiator: consent('initiator'), responder: consent('responder') }

  const inputs = lies.inputs ?? { initiator: { ceiling: 120_000 }, responder: { floor: 90_000 } }
  const openInput = (role: Seat) => ({ role, salt: nonce(`${role} salt`), input: inputs[role] })
  const commitment = (role: Seat) =>
    evaluated ? commitInput(lane, { session_id, ...openInput(role) }) : null
  const computed = outcome.status === 'COMPLETED' ? run(contract, inputs) : null
  const output = {
    role: null,
    salt: nonce('output salt'),
    output: lies.output ?? computed,
    findings: [...(lies.findings ?? [])],
  }
  const output_commitment = commitOutput(lane, { session_id, ...output })

  const row = (role: Seat) => ({
    role,
    consent: consents[role].signature,
    encapsulation: evaluated ? toHex(fixed(`${role} encapsulated input`)) : null,
    ...heads(role),
    narrowed_commitment: null,
  })
  const transcript = (lies.transcript ?? same)({
    version: 'parley-transcript-v1',
    lane,
    session_id,
    offer_digest: offerDigest(offer),
    participants: [row('initiator'), row('responder')],
    output_commitment,
    outcome,
  })

  const started: AuditOpening = {
    entry: {
      version: 'parley-audit-v1',
      seq: 0,
      at: START,
      previous: AUDIT_GENESIS,
      event: 'relay.started',
      fields: { keyset_digest, profile: lane },
    },
    salt: nonce('first audit salt'),
  }
  const ended = (lies.ended ?? same)({
    entry: {
      version: 'parley-audit-v1',
      seq: 1,
      at: START + 9,
      previous: auditEntryHash(lane, started.entry),
      event: 'session.ended',
      fields: { session_id, transcript_hash: transcriptHash(transcript), outcome },
    },
    salt: nonce('second audit salt'),
  })
  const leaves = [auditLeaf(lane, started), auditLeaf(lane, ended)]

  const report = evidence.binding.hardware?.report
  const receiptParty = (role: Seat) => ({
    role,
    participant_id: NAMES[role],
    did: didOf(KEYS[role]),
    input_commitment: commitment(role),
    ...heads(role),
    narrowed_commitment: null,
  })
  const core = (lies.core ?? same)({
    version: 'parley-receipt-v1',
    lane,
    assurance_level: levelOf(lane, provider_evidence),
    session_id,
    relay: { keyset_digest, epoch: keyset.epoch, ...keyset.release },
    ...terms,
    ...model.receipt,
    provider_evidence: provider_evidence === null ? null : hash(provider_evidence),
    capacity,
    offer_digest: offerDigest(offer),
    participants: [receiptParty('initiator'), receiptParty('responder')],
    outcome,
    output_commitment,
    advisories: [],
    audit: {
      checkpoint: signCheckpoint(
        { origin: logOrigin(keyset.epoch), size: 2, root: treeRoot(leaves) },
        KEYS.log,
      ),
      leaf_index: 1,
      leaf_hash: toHex(auditLeaf(lane, ended)),
      path: inclusionPath(leaves, 1).map(toHex),
    },
    transcript_hash: transcriptHash(transcript),
    tee:
      report === undefined
        ? null
        : {
            platform: 'sev-snp',
            attestation_hash: toHex(sha256(fromBase64url(report))),
            receipt_key: keyset.receipt_key,
          },
    issued_at: START + 9,
    time_source: 'host',
  })

  return {
    version: 'parley-bundle-v1',
    receipt: signReceipt(core, KEYS.receipt),
    contract,
    artefacts,
    guardian_policy,
    offer,
    consents: [consents.initiator, consents.responder],
    transcript,
    openings: {
      output,
      inputs: evaluated ? SEATS.map(openInput) : [],
      ledger: evaluated ? [{ role: 'initiator', before: opened.initiator, after: debited.initiator }] : [],
      audit: ended,
    },
    evidence,
    provider_evidence,
    hardware_path: { status: 'present', binding: await bind(keyset, receiptLeaf(core), reporter) },
  }
}

const same = <T>(honest: T): T => honest

/** The bytes of a bundle file. */
export const toBytes = (bundle: Bundle): Uint8Array => canonicalBytes(bundle)

/** A policy that expects exactly what the minted keyset of a lane says of itself. */
export const policyFor = (lane: Lane): JsonObject => {
  const { release, receipt_key } = keysetOf(lane)
  return {
    version: 'parley-policy-v1',
    minimum_assurance: 'SELF_ASSERTED',
    accept_simulated: false,
    hardware: null,
    relay: {
      version: { equals: release.version },
      image_digest: { equals: release.image_digest },
      policy_bundle_hash: { equals: release.policy_bundle_hash },
      profile_hash: { equals: release.profile_hash },
      receipt_key: { equals: receipt_key },
    },
    waive: [],
  }
}
