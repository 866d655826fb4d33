import { fromBase64url, type Keyset, type Receipt, sha256, toHex, verifyReceipt } from '@parley/protocol'
import { attempted, type Finding, notRun, same, stated } from '../finding.js'
import type { ReadBundle, RelayKeys } from './read-bundle.js'

/** Step 3 of SPEC §16: the receipt is the relay's word, and speaks of this relay. */
export const checkReceipt = ({ bundle, relay }: ReadBundle): readonly Finding[] => [
  attempted('receipt_signature', () => {
    verifyReceipt(bundle.receipt, relay.receiptKey)
  }),
  checkKeyset(bundle.receipt, relay),
  checkRelease(bundle.receipt, relay.keyset.release),
  checkTee(bundle.receipt, relay.keyset, bundle.evidence.binding.hardware?.report ?? null),
  checkLevel(bundle.receipt),
]

const checkKeyset = ({ lane, relay, issued_at }: Receipt, { keyset, keysetDigest }: RelayKeys): Finding =>
  stated('receipt_keyset', [
    same(lane, keyset.lane, 'lane_mismatch', 'lane'),
    same(relay.keyset_digest, keysetDigest, 'keyset_mismatch', 'relay.keyset_digest'),
    same(relay.epoch, keyset.epoch, 'keyset_mismatch', 'relay.epoch'),
    {
      holds: keyset.not_before <= issued_at && issued_at <= keyset.not_after,
      code: 'receipt_outside_keyset',
      what: 'issued_at',
    },
  ])

const checkRelease = ({ relay }: Receipt, release: Keyset['release']): Finding =>
  stated('receipt_release', [
    same(relay.version, release.version, 'release_mismatch', 'relay.version'),
    same(relay.image_digest, release.image_digest, 'release_mismatch', 'relay.image_digest'),
    same(
      relay.policy_bundle_hash,
      release.policy_bundle_hash,
      'release_mismatch',
      'relay.policy_bundle_hash',
    ),
    same(relay.profile, release.profile, 'release_mismatch', 'relay.profile'),
    same(relay.profile_hash, release.profile_hash, 'release_mismatch', 'relay.profile_hash'),
  ])

const checkTee = ({ tee }: Receipt, keyset: Keyset, report: string | null): Finding => {
  if (tee === null) return notRun('receipt_tee', 'software_lane')
  const attestationHash = report === null ? null : toHex(sha256(fromBase64url(report)))
  return stated('receipt_tee', [
    same(tee.platform, keyset.platform, 'tee_mismatch', 'tee.platform'),
    same(tee.receipt_key, keyset.receipt_key, 'tee_mismatch', 'tee.receipt_key'),
    same(tee.attestation_hash, attestationHash, 'tee_mismatch', 'tee.attestation_hash'),
  ])
}

// The level in a receipt is the relay's claim, and what it may claim follows from what it shows.
const checkLevel = ({ lane, assurance_level, provider_evidence }: Receipt): Finding => {
  const inside = provider_evidence === null ? 'TEE_ATTESTED' : 'PROVIDER_ATTESTED'
  const claimable = lane === 'confidential' ? inside : 'SELF_ASSERTED'
  return stated('receipt_level', [
    same(assurance_level, claimable, 'assurance_overclaimed', 'assurance_level'),
  ])
}
