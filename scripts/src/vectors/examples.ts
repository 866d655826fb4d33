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
  signingKeyFromSeed,
  signLedgerClaim,
  signRefusal,
  signReleaseManifest,
  toHex,
  transcriptHash,
  utf8,
} from '@parley/protocol'
import { didOf, evidence, fixed, keyOf, keys, keyset, keyset_digest, lane, nonce } from './example-relay.js'
import { playSession, receiptLeafOf } from './example-session.js'
import { OF_THREE, OF_TWO } from './scenarios.js'
import { windowedClaim, windowedEntry } from './window-examples.js'

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

const provisionRequest: JsonObject = { keyset_digest, provider_keys: { claude: 'sk-ant-example' } }
const provisioned: JsonObject = { held: ['claude'], missing: ['gpt'] }

const releaseDigest = (what: string): string => toHex(sha256(utf8(`release ${what}`)))

const releaseManifest = signReleaseManifest(
  {
    version: 'parley-release-v1',
    release: '0.1.0',
    image_digest: releaseDigest('files'),
    policy_bundle_hash: releaseDigest('policy'),
    profile_hash: releaseDigest('profile'),
    uki: {
      sha256: releaseDigest('uki'),
      authenticode: releaseDigest('authenticode'),
      command_line: releaseDigest('command line'),
    },
    pcrs: {
      '4': releaseDigest('pcr 4'),
      '9': releaseDigest('pcr 9'),
      '11': releaseDigest('pcr 11'),
      '12': '0'.repeat(64),
    },
    direct_launch: {
      kernel: releaseDigest('kernel'),
      initrd: releaseDigest('initrd'),
      command_line: releaseDigest('command line and NUL'),
      launches: [
        {
          firmware: releaseDigest('firmware'),
          vmm: 'qemu',
          vcpu_type: 'EPYC-Milan',
          vcpus: 2,
          guest_features: '0000000000000001',
          measurement: '5a'.repeat(48),
        },
      ],
    },
    inputs: [{ name: 'libc6', version: '2.36-9', sha256: releaseDigest('libc6') }],
    sbom: releaseDigest('sbom'),
  },
  signingKeyFromSeed(fixed('publisher')),
)

// Octets of the right kind and no meaning: what a TPM makes differs each time (attestation/vectors/boot).
const bootEvidence: JsonObject = {
  ak_public: nonce('public area of an attestation key'),
  ak_certificates: [nonce('its certificate')],
  event_log: nonce('an event log'),
  quote: nonce('a quote'),
  signature: nonce('its signature'),
}

/** The example objects, by name: those of the specification, and two bundles of a session of three. */
export const EXAMPLES = {
  contract: OF_TWO.contract,
  keyset,
  evidence,
  offer: two.offer,
  consent,
  'ledger-entry': two.debit,
  'ledger-claim': ledgerClaim,
  'ledger-entry-windowed': windowedEntry(two.debit),
  'ledger-claim-windowed': windowedClaim,
  transcript: two.transcript,
  'audit-entry': two.ended.entry,
  receipt: two.receipt,
  refusal,
  'boot-evidence': bootEvidence,
  'provision-request': provisionRequest,
  provisioned,
  'release-manifest': releaseManifest,
  erased: { sessions: 1, records: 15, open: 0 },
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
  'ledger-entry-windowed': ledgerHead(windowedEntry(two.debit)),
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
