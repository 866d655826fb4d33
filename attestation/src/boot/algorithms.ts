/** Identifiers of the TPM that occur here (TCG Algorithm Registry; TPM 2.0 Library, Part 2, §6). */
export const TPM = {
  rsa: 0x0001,
  sha256: 0x000b,
  null: 0x0010,
  rsassa: 0x0014,
  rsapss: 0x0016,
  ecdsa: 0x0018,
  ecc: 0x0023,
  p256: 0x0003,
  /** TPM_GENERATED_VALUE: what a TPM puts before whatever it attests, and no restricted key signs from outside. */
  generated: 0xff544347,
  /** TPM_ST_ATTEST_QUOTE */
  quote: 0x8018,
} as const

/** How an attestation key signs, always over a SHA-256. */
export type SignatureScheme = 'rsassa' | 'rsapss' | 'ecdsa-p256'

/** The scheme of an identifier, or null where an attestation key here has no such. */
export const schemeOf = (identifier: number): SignatureScheme | null => {
  if (identifier === TPM.rsassa) return 'rsassa'
  if (identifier === TPM.rsapss) return 'rsapss'
  return identifier === TPM.ecdsa ? 'ecdsa-p256' : null
}
