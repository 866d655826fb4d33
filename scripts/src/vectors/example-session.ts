import {
  AUDIT_GENESIS,
  auditEntryHash,
  auditLeaf,
  type Bundle,
  type Binding,
  canonicalBytes,
  commitInput,
  commitOutput,
  contractHash,
  type Contract,
  encodeKeyConfigs,
  type Evidence,
  formatDid,
  gatewayKeyFromBytes,
  hash,
  inclusionPath,
  type JsonObject,
  type Keyset,
  keysetDigest,
  keysetLeaf,
  type Lane,
  ledgerHead,
  type LedgerEntry,
  logOrigin,
  type Offer,
  offerDigest,
  purposeLeaf,
  type Role,
  receiptCoreHash,
  sha256,
  signCheckpoint,
  signConsent,
  type SigningKey,
  signingKeyFromSeed,
  signLedgerClaim,
  signLedgerEntry,
  signOffer,
  signPossession,
  signReceipt,
  signRefusal,
  toBase64url,
  toHex,
  transcriptHash,
  treeRoot,
  utf8,
} from '@parley/protocol'

// One session in the software lane with every key, nonce and salt fixed, so that the vectors never change by themselves.

const lane: Lane = 'software'
const fixed = (what: string): Uint8Array => sha256(utf8(`parley example: ${what}`))
const nonce = (what: string): string => toBase64url(fixed(what))
const start = 1_790_000_000

const keys = {
  receipt: signingKeyFromSeed(fixed('receipt key')),
  log: signingKeyFromSeed(fixed('log key')),
  initiator: signingKeyFromSeed(fixed('initiator')),
  responder: signingKeyFromSeed(fixed('responder')),
}
const didOf = (key: SigningKey): string => formatDid({ namespace: 'self', kind: 'agent', publicKey: key.publicKey })

const guardianPolicy: JsonObject = {
  policy_version: '1',
  policy_id: 'example_v1',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [],
  entropy_constraints: null,
}

const program = {
  language: 'cel' as const,
  source: '{"overlap": initiator.ceiling >= responder.floor ? "YES" : "NO"}',
  cost_limit: 1000,
}
const price = (member: string): JsonObject => ({
  type: 'object',
  properties: { [member]: { type: 'integer', minimum: 0, maximum: 1_000_000 } },
  required: [member],
  additionalProperties: false,
})
const outputSchema: JsonObject = {
  type: 'object',
  properties: { overlap: { type: 'string', enum: ['NO', 'YES'] } },
  required: ['overlap'],
  additionalProperties: false,
}
const contract: Contract = {
  purpose_code: 'NEGOTIATION',
  output_schema_id: 'example_overlap_v1',
  output_schema: outputSchema,
  participants: ['buyer', 'seller'],
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
const capacity = { outputs: '2', outcomes: '6', bits: 3, charge_millibits: 2585, agentvault_bits: 1 }

const gateway = gatewayKeyFromBytes(7, fixed('ohttp key'))
const profile_hash = toHex(fixed('profile descriptor'))
const policy_bundle_hash = toHex(fixed('policy bundle'))
const keyset: Keyset = {
  version: 'parley-keyset-v1',
  lane,
  platform: 'software',
  epoch: toHex(fixed('epoch').slice(0, 16)),
  ohttp_keys: toBase64url(encodeKeyConfigs([gateway.config])),
  receipt_key: toBase64url(keys.receipt.publicKey),
  log_key: toBase64url(keys.log.publicKey),
  boot_ak: null,
  release: { version: '0.1.0', image_digest: null, policy_bundle_hash, profile: 'software', profile_hash },
  not_before: start - 60,
  not_after: start + 604_740,
  previous: null,
}
const keyset_digest = keysetDigest(keyset)

function bind(leaf: Uint8Array): Binding {
  const leaves = [leaf, fixed('padding leaf')]
  const head = { keyset_digest, tree_size: 2, root: toHex(treeRoot(leaves)) }
  return {
    tree_size: 2,
    leaf_index: 0,
    path: inclusionPath(leaves, 0).map(toHex),
    possession: signPossession(lane, head, keys.receipt),
    hardware: null,
  }
}

const evidence: Evidence = { version: 'parley-evidence-v1', keyset, nonce: null, binding: bind(keysetLeaf(keyset, null)) }
const session_id = toHex(fixed('session'))

function openEntry(role: Role): LedgerEntry {
  return signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane,
      keyset_digest,
      owner: didOf(keys[role]),
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
      salt: nonce(`${role} open entry`),
    },
    keys.receipt,
  )
}

function debitEntry(role: Role, before: LedgerEntry): LedgerEntry {
  const { signature: _, ...unsigned } = before
  return signLedgerEntry(
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
      salt: nonce(`${role} debit entry`),
    },
    keys.receipt,
  )
}

const opened = { initiator: openEntry('initiator'), responder: openEntry('responder') }
const debited = { initiator: debitEntry('initiator', opened.initiator), responder: debitEntry('responder', opened.responder) }

const terms = {
  contract_hash: contractHash(contract),
  output_schema_hash: hash(outputSchema),
  evaluator: 'cel' as const,
  program_hash: hash(program),
  prompt_program_hash: null,
  model_profile_hash: null,
  guardian_policy_hash: hash(guardianPolicy),
  provider_account: null,
  egress_channel: 'none' as const,
}
const party = (role: Role, participant_id: string) => ({ role, participant_id, did: didOf(keys[role]), nonce: nonce(`${role} nonce`) })
const charge = (role: Role) => ({ role, head: ledgerHead(opened[role]), charge_millibits: capacity.charge_millibits })

const offer: Offer = signOffer(
  {
    version: 'parley-offer-v1',
    lane,
    session_id,
    ...terms,
    capacity,
    participants: [party('initiator', 'buyer'), party('responder', 'seller')],
    open_join: false,
    policy_bundle_hash,
    profile_hash,
    ledger: [charge('initiator'), charge('responder')],
    release_bytes: 65_536,
    keyset_digest,
    created_at: start + 1,
    expires_at: start + 3601,
  },
  keys.receipt,
)
const consentOf = (role: Role) => signConsent({ lane, role, offer_digest: offerDigest(offer) }, keys[role])
const consents = [consentOf('initiator'), consentOf('responder')] as const

const inputs = { initiator: { ceiling: 120_000 }, responder: { floor: 90_000 } }
const openInput = (role: Role) => ({ role, salt: nonce(`${role} salt`), input: inputs[role] })
const inputCommitment = (role: Role): string => commitInput(lane, { session_id, ...openInput(role) })

const output = { salt: nonce('output salt'), output: { overlap: 'YES' } }
const output_commitment = commitOutput(lane, { session_id, ...output })
const outcome = { status: 'COMPLETED' as const, abort_class: null }

const transcriptRow = (role: Role, consent: { signature: string }) => ({
  role,
  consent: consent.signature,
  encapsulation: toHex(fixed(`${role} encapsulated input`)),
  head_before: ledgerHead(opened[role]),
  head_after: ledgerHead(debited[role]),
})
const pair = <T>(initiator: T, responder: T): [T, T] => [initiator, responder]

const transcript = {
  version: 'parley-transcript-v1' as const,
  lane,
  session_id,
  offer_digest: offerDigest(offer),
  participants: pair(transcriptRow('initiator', consents[0]), transcriptRow('responder', consents[1])),
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
  salt: nonce('second audit salt'),
}
const auditLeaves = [auditLeaf(lane, started), auditLeaf(lane, ended)]
const checkpoint = signCheckpoint({ origin: logOrigin(keyset.epoch), size: 2, root: treeRoot(auditLeaves) }, keys.log)

const receiptParty = (role: Role, participant_id: string) => ({
  role,
  participant_id,
  did: didOf(keys[role]),
  input_commitment: inputCommitment(role),
  head_before: ledgerHead(opened[role]),
  head_after: ledgerHead(debited[role]),
})
const receipt = signReceipt(
  {
    version: 'parley-receipt-v1',
    lane,
    assurance_level: 'SELF_ASSERTED',
    session_id,
    relay: {
      keyset_digest,
      epoch: keyset.epoch,
      version: '0.1.0',
      image_digest: null,
      policy_bundle_hash,
      profile: 'software',
      profile_hash,
    },
    ...terms,
    model_asserted: null,
    model_returned: null,
    capacity,
    offer_digest: offerDigest(offer),
    participants: [receiptParty('initiator', 'buyer'), receiptParty('responder', 'seller')],
    outcome,
    output_commitment,
    advisories: [],
    audit: {
      checkpoint,
      leaf_index: 1,
      leaf_hash: toHex(auditLeaf(lane, ended)),
      path: inclusionPath(auditLeaves, 1).map(toHex),
    },
    transcript_hash: transcriptHash(transcript),
    tee: null,
    issued_at: start + 9,
    time_source: 'host',
  },
  keys.receipt,
)
const { signature: _, ...core } = receipt

const bundle: Bundle = {
  version: 'parley-bundle-v1',
  receipt,
  contract,
  guardian_policy: guardianPolicy,
  offer,
  consents: [consents[0], consents[1]],
  transcript,
  openings: {
    output,
    inputs: [openInput('initiator'), openInput('responder')],
    ledger: [{ role: 'initiator', before: opened.initiator, after: debited.initiator }],
    audit: ended,
  },
  evidence,
  hardware_path: {
    status: 'present',
    binding: bind(purposeLeaf(lane, 'receipt', { session_id, receipt_core_hash: receiptCoreHash(core) })),
  },
}

const ledgerClaim = signLedgerClaim(
  lane,
  {
    version: 'parley-ledger-claim-v1',
    owner: didOf(keys.initiator),
    tag: 'price-limit',
    limit_millibits: 20_000,
    head: null,
    nonce: nonce('initiator nonce'),
  },
  keys.initiator,
)

const refusal = signRefusal(
  {
    lane,
    keyset_digest,
    encapsulation: toHex(fixed('a refused request')),
    code: 'contract_refused',
    detail: 'schema_unbounded /properties/note',
  },
  keys.receipt,
)

/** The example objects of the specification, by name. */
export const EXAMPLES = {
  contract,
  keyset,
  evidence,
  offer,
  consent: consents[0],
  'ledger-entry': debited.initiator,
  'ledger-claim': ledgerClaim,
  transcript,
  'audit-entry': ended.entry,
  receipt,
  refusal,
  bundle,
} satisfies Record<string, JsonObject>

/** The digests that the specification defines for them. */
export const DIGESTS: Readonly<Record<string, string>> = {
  contract: contractHash(contract),
  keyset: keyset_digest,
  offer: offerDigest(offer),
  'ledger-entry': ledgerHead(debited.initiator),
  transcript: transcriptHash(transcript),
  'audit-entry': auditEntryHash(lane, ended.entry),
  receipt: receiptCoreHash(core),
  'input-commitment': inputCommitment('initiator'),
  'output-commitment': output_commitment,
  'keyset-leaf': toHex(keysetLeaf(keyset, null)),
  'receipt-leaf': toHex(purposeLeaf(lane, 'receipt', { session_id, receipt_core_hash: receiptCoreHash(core) })),
  bundle: toHex(sha256(canonicalBytes(bundle))),
}

/** The example checkpoint: a signed note. */
export const CHECKPOINT: string = checkpoint
