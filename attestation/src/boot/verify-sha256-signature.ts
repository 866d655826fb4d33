import type { SignatureScheme } from './algorithms.js'

const SALT_BYTES = 32

const ALGORITHMS = {
  rsassa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  rsapss: { name: 'RSA-PSS', hash: 'SHA-256' },
  'ecdsa-p256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const satisfies Record<SignatureScheme, object>

// A TPM salts with as many bytes as the digest has, or, by older revisions, with as many as fit (Part 1, annex B.7).
const salts = (scheme: SignatureScheme, signature: Uint8Array): readonly number[] =>
  scheme === 'rsapss' ? [SALT_BYTES, signature.length - SALT_BYTES - 2] : [0]

/**
 * Whether a signature over SHA-256 is a key's, by WebCrypto, which Node and a page have alike. False for a signature
 * of any other form, and for a key of another kind.
 * @param spki SubjectPublicKeyInfo
 * @param signature r ‖ s for ECDSA
 */
export const verifySha256Signature = async (
  scheme: SignatureScheme,
  spki: Uint8Array,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> => {
  const { subtle } = globalThis.crypto
  const algorithm = ALGORITHMS[scheme]
  const key = await subtle
    .importKey('spki', new Uint8Array(spki), algorithm, false, ['verify'])
    .catch(() => null)
  if (key === null) return false
  for (const saltLength of salts(scheme, signature)) {
    const how = { ...algorithm, saltLength }
    const holds = await subtle
      .verify(how, key, new Uint8Array(signature), new Uint8Array(data))
      .catch(() => false)
    if (holds) return true
  }
  return false
}
