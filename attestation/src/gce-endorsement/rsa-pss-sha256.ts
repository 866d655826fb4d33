/**
 * Whether an RSASSA-PSS signature (SHA-256, MGF1 with SHA-256, salt of 32 bytes; RFC 8017 §8.1.2) is the key's, by
 * WebCrypto, which Node and a page have alike. False for a signature of any other form and for a key that is none.
 * @param spki SubjectPublicKeyInfo of an RSA key
 */
export const verifyRsaPssSha256 = async (
  spki: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => {
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 }
  const key = await subtle
    .importKey('spki', new Uint8Array(spki), algorithm, false, ['verify'])
    .catch(() => null)
  return key !== null && subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(data))
}
