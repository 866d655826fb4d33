import { narrowOutput } from '@parley/guardian'
import {
  type Binding,
  type Bundle,
  type Evidence,
  type LedgerEntry,
  logOrigin,
  type Role,
  rolesOf,
  toBase64url,
} from '@parley/protocol'
import type { AuditProof } from '../audit/audit-log.js'
import { MOST_EVIDENCE_BYTES } from '../model/open-attested-provider.js'
import type { Agreement } from '../session/agreement.js'
import { issueOffer } from '../session/issue-offer.js'
import type { LiveSession, Seat } from '../session/session.js'
import type { SessionDeps } from '../session/session-deps.js'
import { assembleBundle, bundleFor } from './assemble-bundle.js'
import { issueReceipt } from './issue-receipt.js'
import type { SessionRecord } from './session-record.js'
import type { AskedModel } from './release.js'
import { type Ending, transcriptOf } from './transcript.js'

const DIGEST = 'f'.repeat(64)
const SALT = toBase64url(new Uint8Array(32))
const SIGNATURE = toBase64url(new Uint8Array(64))
const COUNT = Number.MAX_SAFE_INTEGER
const LONGEST_DID = 'd'.repeat(256)
const LONGEST_TAG = 't'.repeat(64)
// A tree of 2^48 leaves, and a size of 16 digits in the checkpoint.
const LOG_PATH = 48
const CHECKPOINT_BYTES = 256
const REPORT_PATH = 16
// The chip's certificate may be issued anew while the relay runs; a number in it may then be longer.
const CERTIFICATE_SLACK = 'c'.repeat(512)

/**
 * A record that no record of a session under this agreement exceeds in length, nor any bundle of one participant in it.
 * It is made by the functions that make the real ones, out of the longest value of every member.
 */
export function largestRecord(deps: SessionDeps, agreement: Omit<Agreement, 'bytes'>): SessionRecord {
  const late = longest(deps)
  const bytes = { release_bytes: COUNT, record_bytes: COUNT }
  const ending = largestEnding(late, { ...agreement, bytes })
  const transcript = transcriptOf(deps.keys.keyset.lane, ending)
  const proof = largestProof(deps, ending)
  const receipt = issueReceipt(late, ending, transcript, proof)
  const bundle = assembleBundle(late, ending, { receipt, transcript, audit: proof.opening })
  return {
    bundle: { ...bundle, hardware_path: { status: 'present', binding: largestBinding(deps) } },
    dids: ending.session.seats.map(() => LONGEST_DID),
    narrowed: ending.narrowed,
    ...bytes,
  }
}

/** Of that record, the bundle of whoever has the longest role, shown a part of the output as long as the whole. */
export function largestBundle({ bundle }: Pick<SessionRecord, 'bundle'>): Bundle {
  const role = bundle.receipt.participants.at(-1)?.role ?? 'initiator'
  const { output } = bundle.openings
  const shown = bundleFor(role, { bundle, narrowed: [] })
  return { ...shown, openings: { ...shown.openings, output: output && { ...output, role } } }
}

/** The same relay at the end of time, with a key that signs nothing: only lengths are wanted. */
const longest = (deps: SessionDeps): SessionDeps => ({
  ...deps,
  clock: { ...deps.clock, nowSeconds: () => COUNT },
  keys: { ...deps.keys, receiptKey: { ...deps.keys.receiptKey, sign: () => new Uint8Array(64) } },
})

const largestEnding = (deps: SessionDeps, agreement: Agreement): Ending => {
  const entry = largestEntry(deps)
  const { participants, admitted } = agreement
  const roles = rolesOf(participants.length)
  const session: LiveSession = {
    kind: 'live',
    id: DIGEST,
    state: 'PROCESSING',
    agreement,
    openJoin: false,
    seats: roles.map((role, seat) => largestSeat(deps, role, participants[seat] ?? '')),
    offered: null,
    createdAt: COUNT,
    joinBy: COUNT,
    expiresAt: COUNT,
    joinByMs: COUNT,
    deadlineMs: COUNT,
    commitFailed: false,
  }
  const output = 'o'.repeat(admitted.output.maxOutputBytes)
  return {
    session: {
      ...session,
      offered: issueOffer(
        deps,
        session,
        roles.map(() => entry),
      ),
    },
    release: {
      outcome: { status: 'ABORTED', abort_class: 'EVALUATION_FAILED' },
      output,
      findings: admitted.policy.rules.map(({ rule_id }) => rule_id),
      evaluated: true,
      asked: largestAsked(deps, agreement),
    },
    salt: SALT,
    narrowed: narrowOutput(admitted.policy, output, roles).map((part) => ({ ...part, salt: SALT })),
    charged: roles.map(() => ({ before: entry, after: entry })),
  }
}

// The longest name that an answer may give (SPEC §19).
const LONGEST_MODEL = 'm'.repeat(128)

const largestAsked = ({ bootEvidence }: SessionDeps, { service }: Agreement): AskedModel => {
  const returns = service !== null && service.fileHash === null
  const evidence: Evidence = { ...bootEvidence, nonce: 'n'.repeat(MOST_EVIDENCE_BYTES) }
  return {
    model_returned: returns ? LONGEST_MODEL : null,
    provider_evidence: service?.attests === true ? evidence : null,
  }
}

const largestSeat = (deps: SessionDeps, role: Role, participantId: string): Seat => ({
  role,
  participantId,
  did: LONGEST_DID,
  claim: {
    version: 'parley-ledger-claim-v1',
    owner: LONGEST_DID,
    tag: LONGEST_TAG,
    limit_millibits: COUNT,
    window: { seconds: COUNT, limit_millibits: COUNT },
    pair_limit_millibits: COUNT,
    head: null,
    nonce: SALT,
    signature: SIGNATURE,
  },
  consent: {
    version: 'parley-consent-v1',
    lane: deps.keys.keyset.lane,
    role,
    offer_digest: DIGEST,
    signature: SIGNATURE,
  },
  submission: { commitment: DIGEST, encapsulation: DIGEST, opened: undefined },
})

const largestEntry = ({ keys }: SessionDeps): LedgerEntry => ({
  version: 'parley-ledger-v1',
  lane: keys.keyset.lane,
  keyset_digest: DIGEST,
  owner: LONGEST_DID,
  tag: LONGEST_TAG,
  seq: COUNT,
  previous: DIGEST,
  kind: 'debit',
  session_id: DIGEST,
  before_millibits: COUNT,
  charge_millibits: COUNT,
  after_millibits: COUNT,
  limit_millibits: COUNT,
  window: { seconds: COUNT, limit_millibits: COUNT, spent_millibits: COUNT },
  pair: { spent_millibits: COUNT, limit_millibits: COUNT },
  at: COUNT,
  salt: SALT,
  signature: SIGNATURE,
})

const largestProof = ({ keys }: SessionDeps, { release }: Ending): AuditProof => ({
  opening: {
    entry: {
      version: 'parley-audit-v1',
      seq: COUNT,
      at: COUNT,
      previous: DIGEST,
      event: 'session.ended',
      fields: { session_id: DIGEST, transcript_hash: DIGEST, outcome: release.outcome },
    },
    salt: SALT,
  },
  leaf_index: COUNT,
  leaf_hash: DIGEST,
  path: new Array<string>(LOG_PATH).fill(DIGEST),
  checkpoint: logOrigin(keys.keyset.epoch).padEnd(CHECKPOINT_BYTES, 'x'),
})

const largestBinding = ({ bootEvidence }: SessionDeps): Binding => {
  const { hardware } = bootEvidence.binding
  return {
    tree_size: 65_536,
    leaf_index: 65_535,
    path: new Array<string>(REPORT_PATH).fill(DIGEST),
    possession: SIGNATURE,
    hardware:
      hardware === null
        ? null
        : { ...hardware, leaf_certificate: hardware.leaf_certificate + CERTIFICATE_SLACK },
  }
}
