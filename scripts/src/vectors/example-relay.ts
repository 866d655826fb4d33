import {
  type Binding,
  encodeKeyConfigs,
  type Evidence,
  formatDid,
  gatewayKeyFromBytes,
  type Keyset,
  keysetDigest,
  keysetLeaf,
  type Lane,
  inclusionPath,
  type Role,
  sha256,
  signingKeyFromSeed,
  type SigningKey,
  signPossession,
  toBase64url,
  toHex,
  treeRoot,
  utf8,
} from '@parley/protocol'

// A relay of the software lane with every key, nonce and salt fixed, so that the vectors never change by themselves.

/** The lane of every example. */
export const lane: Lane = 'software'

/** 32 octets that follow from a name. */
export const fixed = (what: string): Uint8Array => sha256(utf8(`parley example: ${what}`))

/** The same, as the wire spells nonces and salts. */
export const nonce = (what: string): string => toBase64url(fixed(what))

/** When the relay's session begins, in Unix seconds. */
export const start = 1_790_000_000

/** The relay's own keys. */
export const keys = {
  receipt: signingKeyFromSeed(fixed('receipt key')),
  log: signingKeyFromSeed(fixed('log key')),
}

/** The key of the participant in a role. */
export const keyOf = (role: Role): SigningKey => signingKeyFromSeed(fixed(role))

/** Its DID. */
export const didOf = (role: Role): string =>
  formatDid({ namespace: 'self', kind: 'agent', publicKey: keyOf(role).publicKey })

const gateway = gatewayKeyFromBytes(7, fixed('ohttp key'))

export const profile_hash = toHex(fixed('profile descriptor'))
export const policy_bundle_hash = toHex(fixed('policy bundle'))

/** The relay's keyset. */
export const keyset: Keyset = {
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
export const keyset_digest = keysetDigest(keyset)

/** Hangs a leaf on a tree of two. */
export function bind(leaf: Uint8Array): Binding {
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

/** The document that the relay made at boot. */
export const evidence: Evidence = {
  version: 'parley-evidence-v1',
  keyset,
  nonce: null,
  binding: bind(keysetLeaf(keyset, null)),
}
