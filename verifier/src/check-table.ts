import type { Trustee } from '@parley/attestation'
import { AGENTVAULT_CHECKS, AGENTVAULT_PROCEDURE } from './agentvault/agentvault-check-table.js'

/** Whom a check still leaves to be trusted, once it has passed. */
export type Trusted = Trustee | 'relay' | 'participants' | 'policy'

/** What a failed check means: its exit code (SPEC §16). */
export type ExitClass = 2 | 3 | 4 | 5

type Row = {
  readonly trusted: Trusted
  readonly failsAs: ExitClass
  readonly says: string
  /** What it was compared with. */
  readonly against: string
}

const row = (trusted: Trusted, failsAs: ExitClass, says: string, against: string): Row => ({
  trusted,
  failsAs,
  says,
  against,
})

// Every named check of SPEC §16, in its order. A verdict shows each check of its procedure exactly once.
const CHECKS = {
  bundle_form: row('nobody', 5, 'exact canonical JSON, every object in it well formed', 'SPEC 3 and 15'),
  evidence_form: row('nobody', 5, 'exact canonical JSON, a well-formed evidence document', 'SPEC 3 and 8'),
  receipt_form: row('nobody', 5, 'exact canonical JSON, a well-formed receipt', 'SPEC 3 and 14'),

  evidence_at_boot: row(
    'relay',
    2,
    'the evidence is the document that was made at boot',
    'a leaf without a nonce',
  ),
  evidence_nonce: row('relay', 3, "the evidence carries the caller's own nonce", 'your nonce'),
  evidence_binding: row(
    'relay',
    2,
    'the keyset is in the tree whose root its receipt key signed',
    "the tree's signed root",
  ),
  hardware_genuine: row(
    'amd',
    2,
    'a secure processor signed the report, under a root that is known here',
    'the pinned roots, or your extra root',
  ),
  report_data: row('amd', 2, 'the report was made over this keyset and tree', 'REPORT_DATA, computed here'),
  hardware_expected: row('policy', 3, 'the report shows what the policy expects', "your policy's hardware"),
  root_accepted: row(
    'policy',
    3,
    'the policy accepts the root in which the chain ends',
    "your policy's accept_simulated",
  ),
  keyset_window: row('policy', 3, 'the keyset is valid at the time of judging', "the keyset's dates"),
  relay_version: row('policy', 3, 'the release is an expected version', "your policy's relay.version"),
  relay_image_digest: row(
    'policy',
    3,
    'the release is an expected image',
    "your policy's relay.image_digest",
  ),
  relay_policy_bundle_hash: row(
    'policy',
    3,
    'the relay runs an expected policy bundle',
    "your policy's relay.policy_bundle_hash",
  ),
  relay_profile_hash: row(
    'policy',
    3,
    'the relay runs an expected profile',
    "your policy's relay.profile_hash",
  ),
  relay_receipt_key: row(
    'policy',
    3,
    'the receipt key is an expected one, or hardware vouches for it',
    "your policy's relay.receipt_key",
  ),
  assurance: row(
    'policy',
    3,
    'what was proven is as much as the policy asks for',
    "your policy's minimum_assurance",
  ),

  receipt_signature: row('relay', 4, 'the receipt key signed the receipt, in its lane', 'the receipt key'),
  receipt_keyset: row('relay', 4, 'the receipt names this keyset', "the evidence's keyset"),
  receipt_release: row('relay', 4, "the receipt names the keyset's release", "the evidence's keyset"),
  receipt_tee: row('relay', 4, 'the receipt names this report and this key', 'the report in the evidence'),
  receipt_level: row('nobody', 4, 'the receipt claims no more than its lane can prove', "the keyset's lane"),

  contract: row(
    'nobody',
    4,
    'contract, schema and program are those that the receipt names',
    "the receipt's hashes",
  ),
  contract_admitted: row('nobody', 4, 'the contract is one that a relay may run', 'SPEC 6'),
  capacity: row(
    'nobody',
    4,
    'recounted from the contract, the capacity is the same',
    'the contract, counted here',
  ),
  guardian_policy: row(
    'nobody',
    4,
    'the guardian policy is the one that receipt and contract name',
    "the receipt's hash",
  ),

  offer_signature: row(
    'relay',
    4,
    'the receipt key signed the offer that the receipt names',
    'the receipt key',
  ),
  offer_terms: row('relay', 4, "the offer's terms are the receipt's", 'the receipt'),
  offer_participants: row(
    'relay',
    4,
    'offer, contract and receipt name the same participants',
    'contract and receipt',
  ),
  consents: row(
    'participants',
    4,
    'both participants signed their consent to this offer',
    "the participants' keys",
  ),

  transcript: row('relay', 4, 'the transcript is the one that the receipt names', "the receipt's hash"),
  transcript_members: row(
    'relay',
    4,
    'the transcript tells what receipt, offer and consents tell',
    'receipt, offer, consents',
  ),

  audit_entry: row('relay', 4, 'the log entry is the end of this session', 'the transcript'),
  audit_path: row('relay', 4, 'that entry is in the log whose checkpoint the log key signed', 'the log key'),

  output: row('relay', 4, 'the opened output is the one that was committed to', "the receipt's commitment"),
  output_allowed: row('nobody', 4, 'schema and guardian policy allow that output', 'the contract'),
  inputs: row(
    'participants',
    4,
    'the opened inputs are those that were committed to',
    "the receipt's commitments",
  ),
  ledger: row(
    'relay',
    4,
    'the opened ledger entries lead from head to head by this charge',
    "the receipt's heads",
  ),

  reexecution: row(
    'nobody',
    4,
    'the program, run again over both inputs, gives that output',
    'the opened output',
  ),
  hardware_path: row('amd', 2, 'a later genuine report was made over this receipt', "the receipt's core"),
  hardware_path_expected: row(
    'policy',
    3,
    'that report, too, is what the policy expects',
    "your policy's hardware",
  ),
  provider_named: row(
    'relay',
    4,
    "the provider's evidence is the one that the receipt names",
    "the receipt's hash",
  ),
  provider_evidence: row(
    'amd',
    2,
    'a genuine report was made over the keyset of the provider that was asked',
    "the provider's own tree",
  ),
  provider_expected: row('policy', 3, 'that provider is what the policy expects', "your policy's provider"),
  ...AGENTVAULT_CHECKS,
} as const satisfies Record<string, Row>

/** The name of a check. The list is closed. */
export type CheckName = keyof typeof CHECKS

/** What a check says, against what, who is trusted for it, and what its failure means. */
export const checkRow = (name: CheckName): Row => CHECKS[name]

/** Whether a text names a check that a policy may waive: an expectation, never the mathematics. */
export const isWaivable = (name: string): name is CheckName =>
  Object.entries(CHECKS).some(([known, { failsAs }]) => known === name && failsAs === 3)

const APPRAISAL = [
  'evidence_binding',
  'hardware_genuine',
  'report_data',
  'hardware_expected',
  'root_accepted',
  'keyset_window',
  'relay_version',
  'relay_image_digest',
  'relay_policy_bundle_hash',
  'relay_profile_hash',
  'relay_receipt_key',
  'assurance',
] as const satisfies readonly CheckName[]

/** The checks of each procedure, in the order in which a verdict shows them. */
export const PROCEDURES = {
  evidence: ['evidence_form', 'evidence_nonce', ...APPRAISAL],
  receipt: ['receipt_form', 'receipt_signature', 'receipt_tee'],
  agentvault: AGENTVAULT_PROCEDURE,
  bundle: [
    'bundle_form',
    'evidence_at_boot',
    ...APPRAISAL,
    'receipt_signature',
    'receipt_keyset',
    'receipt_release',
    'receipt_tee',
    'receipt_level',
    'contract',
    'contract_admitted',
    'capacity',
    'guardian_policy',
    'offer_signature',
    'offer_terms',
    'offer_participants',
    'consents',
    'transcript',
    'transcript_members',
    'audit_entry',
    'audit_path',
    'output',
    'output_allowed',
    'inputs',
    'ledger',
    'reexecution',
    'hardware_path',
    'hardware_path_expected',
    'provider_named',
    'provider_evidence',
    'provider_expected',
  ],
} as const satisfies Record<string, readonly CheckName[]>

/** A procedure: what was verified as one. */
export type Procedure = keyof typeof PROCEDURES
