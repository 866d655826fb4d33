import {
  type Binding,
  type Bundle,
  type Consent,
  type LedgerEntry,
  logOrigin,
  type Role,
  toBase64url,
} from '@parley/protocol'
import type { AuditProof } from '../audit/audit-log.js'
import type { Agreement } from '../session/agreement.js'
import { issueOffer } from '../session/issue-offer.js'
import type { LiveSession, Seat } from '../session/session.js'
import type { SessionDeps } from '../session/session-deps.js'
import { assembleBundle, bundleFor } from './assemble-bundle.js'
import { issueReceipt } from './issue-receipt.js'
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
 * A bundle that no bundle of a session under this agreement exceeds in length. It is made by the functions that make
 * the real ones, out of the longest value of every member.
 */
export function largestBundle(deps: SessionDeps, agreement: Omit<Agreement, 'bytes'>): Bundle {
  const late = { ...deps, clock: { ...deps.clock, nowSeconds: () => COUNT } }
  const ending = largestEnding(late, { ...agreement, bytes: { release_bytes: COUNT, record_bytes: COUNT } })
  const transcript = transcriptOf(deps.keys.keyset.lane, ending)
  const proof = largestProof(deps, ending)
  const receipt = issueReceipt(late, ending, transcript, proof)
  const bundle = bundleFor(
    'responder',
    assembleBundle(late, ending, { receipt, transcript, audit: proof.opening }),
  )
  return { ...bundle, hardware_path: { status: 'present', binding: largestBinding(deps) } }
}

const largestEnding = (deps: SessionDeps, agreement: Agreement): Ending => {
  const entry = largestEntry(deps)
  const session: LiveSession = {
    kind: 'live',
    id: DIGEST,
    state: 'PROCESSING',
    agreement,
    openJoin: false,
    seats: [largestSeat(deps, agreement, 'initiator'), largestSeat(deps, agreement, 'responder')],
    offered: null,
    expiresAt: COUNT,
    joinByMs: COUNT,
    deadlineMs: COUNT,
    commitFailed: false,
  }
  const charged = { before: entry, after: entry }
  return {
    session: { ...session, offered: issueOffer(deps, session, [entry, entry]) },
    release: {
      outcome: { status: 'ABORTED', abort_class: 'EVALUATION_FAILED' },
      output: 'o'.repeat(agreement.admitted.output.maxOutputBytes),
      evaluated: true,
    },
    salt: SALT,
    charged: [charged, charged],
  }
}

const largestSeat = (deps: SessionDeps, { participants }: Agreement, role: Role): Seat => {
  const { lane } = deps.keys.keyset
  const consent: Consent = {
    version: 'parley-consent-v1',
    lane,
    role,
    offer_digest: DIGEST,
    signature: SIGNATURE,
  }
  return {
    role,
    participantId: participants[role === 'initiator' ? 0 : 1],
    did: LONGEST_DID,
    claim: {
      version: 'parley-ledger-claim-v1',
      owner: LONGEST_DID,
      tag: LONGEST_TAG,
      limit_millibits: COUNT,
      head: null,
      nonce: SALT,
      signature: SIGNATURE,
    },
    consent,
    submission: { commitment: DIGEST, encapsulation: DIGEST, opened: undefined },
  }
}

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
