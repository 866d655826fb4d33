import {
  agentVaultKeyId,
  canonicalize,
  type JsonObject,
  labelledDigest,
  signAgentVaultReceiptV1,
  signAgentVaultReceiptV2,
  type SigningKey,
  toBase64url,
  toHex,
  type UnsignedAgentVaultReceiptV1,
  type UnsignedAgentVaultReceiptV2,
} from '@parley/protocol'
import { FIRST, HELD, KEYS, SECOND } from './session.js'
import { teeReceipt, TRANSCRIPT, unsignedReport } from './tee-session.js'
import type { AgentVaultVector, Held } from './vector.js'

type Told = {
  readonly name: string
  readonly why: string
  readonly failed: Readonly<Record<string, string>>
  readonly held?: AgentVaultVector['held']
}

const refused = (
  exit_code: 4 | 5,
  receipt: string,
  { failed, held = {}, ...told }: Told,
): AgentVaultVector => ({
  ...told,
  receipt,
  key: toHex(KEYS.relay.publicKey),
  held,
  expect: { exit_code, failed, output: null },
})

const first = (unsigned: UnsignedAgentVaultReceiptV1, key: SigningKey = KEYS.relay) =>
  signAgentVaultReceiptV1(unsigned, key)
const second = (unsigned: UnsignedAgentVaultReceiptV2, key: SigningKey = KEYS.relay) =>
  signAgentVaultReceiptV2(unsigned, key)
const tee = teeReceipt(unsignedReport(TRANSCRIPT))

const signature = { agentvault_signature: 'signature_invalid' } as const

/** Receipts that their key did not sign so. */
const unsigned = (): readonly AgentVaultVector[] => [
  refused(4, canonicalize(first(FIRST, KEYS.stranger)), {
    name: 'first-form-of-a-stranger',
    why: 'Signed by another key than the pinned one.',
    failed: signature,
  }),
  refused(4, canonicalize(second(SECOND, KEYS.stranger)), {
    name: 'second-form-of-a-stranger',
    why: 'Signed by another key than the pinned one.',
    failed: signature,
  }),
  refused(4, canonicalize({ ...first(FIRST), output_entropy_bits: 0 }), {
    name: 'first-form-changed',
    why: 'A figure was changed after signing.',
    failed: signature,
  }),
  refused(4, canonicalize({ ...second(SECOND), issued_at: '2026-03-06T12:00:04Z' }), {
    name: 'second-form-changed',
    why: 'The date was changed after signing.',
    failed: signature,
  }),
  refused(4, canonicalize({ ...second(SECOND), signature: ofUs() }), {
    name: 'second-form-under-our-label',
    why: 'The right key, but our label and the zero octet before the text: one signature never means two things.',
    failed: signature,
  }),
  refused(4, canonicalize({ ...first(FIRST), signature: toHex(KEYS.relay.sign(wrongPrefix())) }), {
    name: 'first-form-under-another-prefix',
    why: 'The right key over the right text behind the prefix of another object.',
    failed: signature,
  }),
  refused(4, canonicalize(second(forgedTee(), KEYS.stranger)), {
    name: 'tee-with-an-embedded-key',
    why: 'A forger signs with a key of his own and names it inside: a verifier that believes the embedded key accepts it.',
    failed: {
      ...signature,
      agentvault_key: 'receipt_key_not_pinned',
      agentvault_transcript: 'transcript_mismatch',
      agentvault_report: 'report_data_mismatch',
    },
  }),
]

const ofUs = () => ({
  alg: 'Ed25519' as const,
  value: toBase64url(KEYS.relay.sign(labelledDigest('VCAV-RECEIPT-V2:', SECOND))),
  signed_fields: 'ALL_EXCEPT_SIGNATURE' as const,
})

const wrongPrefix = (): Uint8Array => labelledDigest('VCAV-HANDOFF-V1:', FIRST)

const forgedTee = (): UnsignedAgentVaultReceiptV2 => ({
  ...tee,
  tee_attestation: {
    ...tee.tee_attestation,
    receipt_signing_pubkey_hex: toHex(KEYS.stranger.publicKey),
    transcript_hash_hex: 'ab'.repeat(64),
    user_data_hex: 'ab'.repeat(64),
    quote: quoteOver(new Uint8Array(64).fill(0xab)),
  },
})

const quoteOver = (data: Uint8Array): string => teeReceipt(unsignedReport(data)).tee_attestation?.quote ?? ''

const MISMATCHES: readonly (readonly [Held, string, string])[] = [
  ['contract', 'agentvault_contract', 'contract_mismatch'],
  ['schema', 'agentvault_schema', 'schema_mismatch'],
  ['program', 'agentvault_program', 'program_mismatch'],
  ['policy', 'agentvault_policy', 'policy_mismatch'],
  ['profile', 'agentvault_profile', 'profile_mismatch'],
  ['output', 'agentvault_output', 'opening_mismatch'],
]

/** Receipts of something else than what their reader holds. */
const mismatched = (): readonly AgentVaultVector[] =>
  MISMATCHES.flatMap(([held, check, code]) => [
    ...(['first', 'second'] as const).map((form) =>
      refused(4, canonicalize(form === 'first' ? first(FIRST) : second(SECOND)), {
        name: `${form}-form-other-${held}`,
        why: `The ${held} in the reader's hands is another one.`,
        failed: { [check]: code },
        held: { [held]: { ...HELD[held], overlap: 'NEITHER' } },
      }),
    ),
  ])

const { output: _, ...closed } = SECOND.commitments
const { preflight_bundle: __, effective_config_hash: ___, ...unconfigured } = SECOND.commitments

/** Receipts that contradict themselves. */
const incoherent = (): readonly AgentVaultVector[] => [
  refused(4, canonicalize(first({ ...FIRST, receipt_key_id: agentVaultKeyId(KEYS.stranger.publicKey) })), {
    name: 'first-form-names-another-key',
    why: 'The pinned key signed it, and it says that another one did.',
    failed: { agentvault_key: 'receipt_key_not_pinned' },
  }),
  refused(4, canonicalize(second({ ...SECOND, claims: { ...SECOND.claims, status: 'error' } })), {
    name: 'output-of-a-failed-session',
    why: 'The session failed, and here is its output.',
    failed: { agentvault_output: 'output_of_aborted' },
  }),
  refused(4, canonicalize(first({ ...FIRST, status: 'ABORTED' })), {
    name: 'output-of-an-aborted-session',
    why: 'The session was aborted, and here is its output.',
    failed: { agentvault_output: 'output_of_aborted' },
  }),
  refused(4, canonicalize(second({ ...SECOND, assurance_level: 'TEE_ATTESTED' })), {
    name: 'tee-claimed-without-a-report',
    why: 'TEE_ATTESTED, and nothing of a TEE in it.',
    failed: { agentvault_level: 'assurance_overclaimed' },
  }),
  refused(4, canonicalize(second({ ...SECOND, assurance_level: 'OPERATOR_AUDITED' })), {
    name: 'audit-claimed',
    why: 'Nothing in a receipt can show that somebody audited the operator.',
    failed: { agentvault_level: 'assurance_overclaimed' },
  }),
  refused(
    4,
    canonicalize(second({ ...tee, tee_attestation: { ...tee.tee_attestation, tee_type: 'Simulated' } })),
    {
      name: 'tee-simulated',
      why: 'TEE_ATTESTED by a TEE that says of itself that it is simulated.',
      failed: { agentvault_level: 'assurance_overclaimed' },
    },
  ),
  refused(
    4,
    canonicalize(second({ ...tee, commitments: { ...tee.commitments, contract_hash: 'ab'.repeat(32) } })),
    {
      name: 'tee-of-another-contract',
      why: 'A genuine-looking report was put beside a receipt under another contract.',
      failed: { agentvault_transcript: 'transcript_mismatch', agentvault_report: 'report_data_mismatch' },
    },
  ),
  refused(
    4,
    canonicalize(
      second({ ...tee, tee_attestation: { ...tee.tee_attestation, measurement: 'ab'.repeat(48) } }),
    ),
    {
      name: 'tee-of-another-measurement',
      why: 'The receipt tells of another measurement than its report.',
      failed: { agentvault_report: 'tee_mismatch' },
    },
  ),
  refused(4, canonicalize(second({ ...SECOND, commitments: unconfigured })), {
    name: 'policy-not-named',
    why: 'The reader expects a policy, and the receipt names none.',
    failed: { agentvault_policy: 'policy_mismatch' },
    held: { policy: HELD.policy },
  }),
  refused(
    4,
    canonicalize(second({ ...SECOND, commitments: { ...closed, prompt_template_hash: 'ab'.repeat(32) } })),
    {
      name: 'program-named-twice',
      why: 'The commitments name another program than the bundle and the contract.',
      failed: { agentvault_contract: 'contract_mismatch', agentvault_program: 'program_mismatch' },
      held: { contract: HELD.contract, program: HELD.program },
    },
  ),
]

const form = (code: string) => ({ agentvault_form: code })
const signedSecond: JsonObject = second(SECOND)

/** What is no receipt. */
const malformed = (): readonly AgentVaultVector[] => [
  ...(
    [
      ['first-form-unknown-member', { ...first(FIRST), note: 'x' }, 'A member that nobody knows.'],
      [
        'first-form-of-another-version',
        { ...first(FIRST), schema_version: '1.1.0' },
        'A version that nobody knows.',
      ],
      [
        'second-form-of-another-version',
        { ...signedSecond, receipt_schema_version: '2.0.0' },
        '2.0.0 never existed in code.',
      ],
      ['second-form-unknown-member', { ...signedSecond, note: 'x' }, 'A member that nobody knows.'],
      [
        'second-form-signed-as-the-first',
        { ...signedSecond, signature: '00'.repeat(64) },
        'The signature of the other form: the version decides, never the shape of the signature.',
      ],
      [
        'second-form-es256',
        { ...signedSecond, signature: { alg: 'ES256', value: 'AA' } },
        'An algorithm that only their schema names.',
      ],
      [
        'second-form-other-canonicalization',
        { ...signedSecond, receipt_canonicalization: 'JCS' },
        'Another canonicalization.',
      ],
      [
        'second-form-upper-case-hash',
        { ...signedSecond, commitments: { ...SECOND.commitments, contract_hash: 'AB'.repeat(32) } },
        'One hash has one spelling.',
      ],
      [
        'integer-beyond-the-doubles',
        { ...signedSecond, commitments: { ...SECOND.commitments, output: { n: 2 ** 53 } } },
        'An integer that a double does not tell from its neighbour: what was hashed is not what is seen.',
      ],
    ] as const
  ).map(([name, receipt, why]) =>
    refused(5, canonicalize(receipt), { name, why, failed: form('object_malformed') }),
  ),
  refused(5, `{"receipt_schema_version":"2.1.0",${canonicalize(signedSecond).slice(1)}`, {
    name: 'member-named-twice',
    why: 'A member that stands there twice: readers differ in which one they take.',
    failed: { receipt_form: 'json_not_canonical' },
  }),
]

/** Receipts that must not be trusted. */
export const refusedVectors = (): readonly AgentVaultVector[] => [
  ...unsigned(),
  ...mismatched(),
  ...incoherent(),
  ...malformed(),
]
