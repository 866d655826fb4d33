/** Whether a signature over some data is the key's. False for every malformed signature; never throws for one. */
export type VerifySignature = (data: Uint8Array, signature: Uint8Array) => Promise<boolean>

/** The few operations that attestation needs, by node:crypto in Node and by WebCrypto in a page. */
export type CryptoPort = {
  readonly sha256: (data: Uint8Array) => Promise<Uint8Array>
  /** Whether two public byte strings are the same: for long ones, in Node a tenth of what `equalBytes` takes. */
  readonly sameBytes: (left: Uint8Array, right: Uint8Array) => boolean
  /** RSASSA-PSS, SHA-384, MGF1-SHA-384, salt of 48 bytes. The key is a PKCS#1 RSAPublicKey; null where it is none. */
  readonly rsaPssVerifier: (publicKey: Uint8Array) => Promise<VerifySignature | null>
  /** ECDSA P-384, SHA-384; r ‖ s, 48 bytes each, big-endian. The key is an uncompressed point; null where it is none. */
  readonly p384Verifier: (point: Uint8Array) => Promise<VerifySignature | null>
}
