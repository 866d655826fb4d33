import {
  encodeKeyConfigs,
  type Evidence,
  type GatewayKey,
  generateGatewayKey,
  generateSigningKey,
  type Keyset,
  keysetDigest,
  type JsonObject,
  keysetLeaf,
  signPossession,
  type SigningKey,
  toBase64url,
  toHex,
} from '@parley/protocol'

export const NOW_SECONDS = 1_800_000_000

/** The keys of a relay of the software lane, as it makes them at boot. */
export type DoubleKeys = {
  readonly keyset: Keyset
  readonly keysetDigest: string
  readonly gateway: GatewayKey
  readonly receiptKey: SigningKey
  readonly logKey: SigningKey
}

export const POLICY_BUNDLE = 'ab'.repeat(32)

export const makeKeys = (change: Partial<Keyset> = {}): DoubleKeys => {
  const gateway = generateGatewayKey(7)
  const [receiptKey, logKey] = [generateSigningKey(), generateSigningKey()]
  const keyset: Keyset = {
    version: 'parley-keyset-v1',
    lane: 'software',
    platform: 'software',
    epoch: '0a'.repeat(16),
    ohttp_keys: toBase64url(encodeKeyConfigs([gateway.config])),
    receipt_key: toBase64url(receiptKey.publicKey),
    log_key: toBase64url(logKey.publicKey),
    boot_ak: null,
    release: {
      version: '0.1.0',
      image_digest: null,
      policy_bundle_hash: POLICY_BUNDLE,
      profile: 'software',
      profile_hash: 'cd'.repeat(32),
    },
    not_before: NOW_SECONDS - 60,
    not_after: NOW_SECONDS + 3600,
    previous: null,
    ...change,
  }
  return { keyset, keysetDigest: keysetDigest(keyset), gateway, receiptKey, logKey }
}

/** Genuine evidence of these keys over a nonce. */
export const evidenceOf = (
  { keyset, keysetDigest: digest, receiptKey }: DoubleKeys,
  nonce: string | null,
): Evidence => {
  const head = { keyset_digest: digest, tree_size: 1, root: toHex(keysetLeaf(keyset, nonce)) }
  const possession = signPossession(keyset.lane, head, receiptKey)
  const binding = { tree_size: 1, leaf_index: 0, path: [], possession, hardware: null }
  return { version: 'parley-evidence-v1', keyset, nonce, binding }
}

/** A policy that expects exactly this relay, in the software lane. */
export const policyFor = ({ keyset }: DoubleKeys): JsonObject & { readonly relay: JsonObject } => ({
  version: 'parley-policy-v1',
  minimum_assurance: 'SELF_ASSERTED',
  accept_simulated: false,
  hardware: null,
  relay: {
    version: { equals: keyset.release.version },
    image_digest: { equals: keyset.release.image_digest },
    policy_bundle_hash: { equals: keyset.release.policy_bundle_hash },
    profile_hash: { equals: keyset.release.profile_hash },
    receipt_key: { equals: keyset.receipt_key },
  },
  waive: [],
})
