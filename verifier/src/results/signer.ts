import { canonicalBytes, sha256, type SigningKey, toBase64url } from '@parley/protocol'

/** The verifier's own key, whatever holds it. */
export type Signer = {
  readonly alg: 'EdDSA' | 'ES256'
  /** RFC 7638 thumbprint of the public key, base64url of 32 octets. */
  readonly keyId: string
  /** 64 bytes: RFC 8032, or r ‖ s of 32 bytes each. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>
}

/** The required members of a public JWK, and no others: what its thumbprint is made of. */
export type PublicJwk =
  | { readonly crv: 'Ed25519'; readonly kty: 'OKP'; readonly x: string }
  | { readonly crv: 'P-256'; readonly kty: 'EC'; readonly x: string; readonly y: string }

/**
 * The name of a key: SHA-256 over its required members in canonical order, base64url.
 * @see RFC 7638 §3
 */
export const thumbprint = (jwk: PublicJwk): string => toBase64url(sha256(canonicalBytes(jwk)))

/** An Ed25519 key as a signer of results. */
export const ed25519Signer = ({ publicKey, sign }: SigningKey): Signer => ({
  alg: 'EdDSA',
  keyId: thumbprint({ crv: 'Ed25519', kty: 'OKP', x: toBase64url(publicKey) }),
  sign: (message) => Promise.resolve(sign(message)),
})
