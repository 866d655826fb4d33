import {
  encodeKeyConfigs,
  gatewayKeyFromBytes,
  keysetDigest,
  parseKeyset,
  type ProfileName,
  signingKeyFromSeed,
  toBase64url,
  toHex,
} from '@parley/protocol'
import type { PolicyBundle } from '../policy-bundle.js'
import { RELEASE_VERSION } from '../release-version.js'
import type { RelayKeys } from './relay-keys.js'

const KEY_BYTES = 32
const EPOCH_BYTES = 16

/** What a keyset says beside its keys. */
export type KeysetTerms = {
  /** One octet, by which the host-proxy routes. */
  readonly keyId: number
  readonly bundle: Pick<PolicyBundle<ProfileName>, 'hash' | 'limits' | 'profile'>
  readonly image_digest: string | null
  /** SHA-256 of the name of the key by which a TPM attests the boot; none where absent. */
  readonly boot_ak?: string | null
  readonly previous: string | null
  /** Unix seconds. */
  readonly now: number
}

/**
 * Makes the keys of one boot. Nothing of them is ever written anywhere.
 * @param random fresh octets
 * @throws ProtocolError `object_malformed` on terms outside SPEC §7
 */
export function makeRelayKeys(terms: KeysetTerms, random: (size: number) => Uint8Array): RelayKeys {
  const gateway = gatewayKeyFromBytes(terms.keyId, random(KEY_BYTES))
  const receiptKey = signingKeyFromSeed(random(KEY_BYTES))
  const logKey = signingKeyFromSeed(random(KEY_BYTES))
  const { bundle, image_digest, boot_ak = null, previous, now } = terms
  const confidential = bundle.profile.name === 'confidential'
  const keyset = parseKeyset({
    version: 'parley-keyset-v1',
    lane: confidential ? 'confidential' : 'software',
    platform: confidential ? 'sev-snp' : 'software',
    epoch: toHex(random(EPOCH_BYTES)),
    ohttp_keys: toBase64url(encodeKeyConfigs([gateway.config])),
    receipt_key: toBase64url(receiptKey.publicKey),
    log_key: toBase64url(logKey.publicKey),
    boot_ak,
    release: {
      version: RELEASE_VERSION,
      image_digest,
      policy_bundle_hash: bundle.hash,
      profile: bundle.profile.name,
      profile_hash: bundle.profile.hash,
    },
    not_before: now,
    not_after: now + bundle.limits.keyset_lifetime_seconds,
    previous,
  })
  return {
    keyset,
    keysetDigest: keysetDigest(keyset),
    gateway,
    receiptKey,
    logKey,
    sealingKey: random(KEY_BYTES),
  }
}
