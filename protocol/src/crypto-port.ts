/** An AEAD by its number in the HPKE registry: AES-128-GCM or ChaCha20-Poly1305. */
export type AeadId = 0x0001 | 0x0003

/** An X25519 private key that can be used and not read. */
export type X25519PrivateKey = {
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array
  /** The shared secret of 32 bytes with a peer's public key; undefined for a low-order point. */
  readonly agree: (publicKey: Uint8Array) => Uint8Array | undefined
}

/** An Ed25519 private key that can be used and not read. */
export type Ed25519PrivateKey = {
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array
  /** The signature of 64 bytes. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

/** What both halves of `#crypto` export. Sizes are the caller's duty: only this package calls it. */
export type CryptoPort = {
  readonly sha256: (data: Uint8Array) => Uint8Array
  /** SHA-256 of the UTF-8 bytes of a text that has no lone surrogate. */
  readonly sha256OfText: (text: string) => Uint8Array
  readonly sha512: (data: Uint8Array) => Uint8Array
  readonly hkdfExtract: (salt: Uint8Array, keyMaterial: Uint8Array) => Uint8Array
  readonly hkdfExpand: (key: Uint8Array, info: Uint8Array, length: number) => Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
  readonly x25519FromBytes: (privateKey: Uint8Array) => X25519PrivateKey
  readonly x25519Generate: () => X25519PrivateKey
  readonly ed25519FromSeed: (seed: Uint8Array) => Ed25519PrivateKey
  readonly ed25519Verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
  /** prefix ‖ ciphertext ‖ tag, written once. */
  readonly aeadSeal: (
    aead: AeadId,
    key: Uint8Array,
    nonce: Uint8Array,
    aad: Uint8Array,
    plaintext: Uint8Array,
    prefix?: Uint8Array,
  ) => Uint8Array
  /** The plaintext; undefined if key, nonce, aad or ciphertext is another than at sealing. */
  readonly aeadOpen: (
    aead: AeadId,
    key: Uint8Array,
    nonce: Uint8Array,
    aad: Uint8Array,
    ciphertext: Uint8Array,
  ) => Uint8Array | undefined
}
