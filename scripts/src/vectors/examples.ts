import {
  auditEntryHash,
  canonicalBytes,
  commitOutput,
  contractHash,
  type JsonObject,
  keysetLeaf,
  ledgerHead,
  offerDigest,
  receiptCore,
  receiptCoreHash,
  sha256,
  signLedgerClaim,
  signRefusal,
  toHex,
  transcriptHash,
} from '@parley/protocol'
import { didOf, evidence, fixed, keyOf, keys, keyset, keyset_digest, lane, nonce } from './example-relay.js'
import { playSession, receiptLeafOf } from './example-session.js'
import { OF_THREE, OF_TWO } from './scenarios.js'

const two = playSession(OF_TWO)
const three = playSession(OF_THREE)
const narrowed = playSession({ ...OF_THREE, holder: 'participant_3' })

const ledgerClaim = signLedgerClaim(
  lane,
  {
    version: 'parley-ledger-claim-v1',
    owner: didOf('initiator'),
    tag: 'price-limit',
    limit_millibits: 20_000,
    head: null,
    nonce: nonce('initiator nonce'),
  },
  keyOf('initiator'),
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

const consent: JsonObject = two.consents[0] ?? {}

/** The example objects, by name: those of the specification, and two bundles of a session of three. */
export const EXAMPLES = {
  contract: OF_TWO.contract,
  keyset,
  evidence,
  offer: two.offer,
  consent,
  'ledger-entry': two.debit,
  'ledger-claim': ledgerClaim,
  transcript: two.transcript,
  'audit-entry': two.ended.entry,
  receipt: two.receipt,
  refusal,
  bundle: two.bundle,
  'bundle-of-three': three.bundle,
  'bundle-of-three-narrowed': narrowed.bundle,
} satisfies Record<string, JsonObject>

const opened = { session_id: two.session_id, salt: nonce('output salt'), output: OF_TWO.output, findings: [] }

/** The digests that the specification defines for them. */
export const DIGESTS: Readonly<Record<string, string>> = {
  contract: contractHash(OF_TWO.contract),
  keyset: keyset_digest,
  offer: offerDigest(two.offer),
  'ledger-entry': ledgerHead(two.debit),
  transcript: transcriptHash(two.transcript),
  'audit-entry': auditEntryHash(lane, two.ended.entry),
  receipt: receiptCoreHash(receiptCore(two.receipt)),
  'input-commitment': two.inputCommitment,
  'output-commitment': commitOutput(lane, opened),
  'keyset-leaf': toHex(keysetLeaf(keyset, null)),
  'receipt-leaf': toHex(receiptLeafOf(two.receipt)),
  bundle: toHex(sha256(canonicalBytes(two.bundle))),
  'bundle-of-three': toHex(sha256(canonicalBytes(three.bundle))),
  'bundle-of-three-narrowed': toHex(sha256(canonicalBytes(narrowed.bundle))),
}

/** The example checkpoint: a signed note. */
export const CHECKPOINT: string = two.checkpoint
