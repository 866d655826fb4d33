import {
  type Bundle,
  type Ed25519PublicKey,
  fromBase64url,
  keysetDigest,
  type Keyset,
  MAX_MESSAGE_BYTES,
  parseBundle,
  parseCanonicalJson,
  parseEd25519PublicKey,
  ProtocolError,
} from '@parley/protocol'

/** The keys that a keyset names, each a usable point, and the keyset's digest. Proven only by evidence. */
export type RelayKeys = {
  readonly keyset: Keyset
  readonly keysetDigest: string
  readonly receiptKey: Ed25519PublicKey
  readonly logKey: Ed25519PublicKey
}

/** A bundle whose every object is well formed, with the keys that it speaks of. Nothing of it is proven. */
export type ReadBundle = { readonly bundle: Bundle; readonly relay: RelayKeys }

/**
 * The keys of a keyset.
 * @throws ProtocolError key_refused
 */
export const relayKeys = (keyset: Keyset): RelayKeys => ({
  keyset,
  keysetDigest: keysetDigest(keyset),
  receiptKey: parseEd25519PublicKey(fromBase64url(keyset.receipt_key, 32)),
  logKey: parseEd25519PublicKey(fromBase64url(keyset.log_key, 32)),
})

/**
 * Step 1 of SPEC §16: exact canonical JSON, and every object in it well formed.
 * @throws ProtocolError too_large, json_malformed, json_not_canonical, json_too_deep, object_malformed, key_refused
 */
export const readBundle = (bytes: Uint8Array): ReadBundle => {
  if (bytes.length > MAX_MESSAGE_BYTES)
    throw new ProtocolError('too_large', `a bundle of ${bytes.length} bytes`)
  const bundle = parseBundle(parseCanonicalJson(bytes))
  return { bundle, relay: relayKeys(bundle.evidence.keyset) }
}
