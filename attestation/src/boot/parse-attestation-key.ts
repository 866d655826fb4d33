import { schemeOf, type SignatureScheme, TPM } from './algorithms.js'
import { FieldReader, TPM_FORM } from './field-reader.js'
import { ecSpki, rsaSpki } from './public-key-info.js'

/** The public area of a TPM's key that may attest. Parsed: whose it is, nothing here says. */
export type AttestationKey = {
  /** TPM 2.0 Library, Part 1, §16: algorithm of the name, and SHA-256 of the public area. */
  readonly publicArea: Uint8Array
  readonly scheme: SignatureScheme
  readonly attributes: number
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Uint8Array
}

const MAX_POLICY_BYTES = 32
const MIN_MODULUS_BYTES = 256
const MAX_MODULUS_BYTES = 512
const COORDINATE_BYTES = 32
// What exponent 0 stands for (Part 2, §12.2.3.5).
const DEFAULT_EXPONENT = 65537

const readScheme = (reader: FieldReader): SignatureScheme => {
  const scheme = schemeOf(reader.uint16())
  // A restricted key signs one way alone, so that its scheme is part of its name.
  if (scheme === null || reader.uint16() !== TPM.sha256) throw reader.malformed('a key of another scheme')
  return scheme
}

const readRsa = (reader: FieldReader): Pick<AttestationKey, 'scheme' | 'spki'> => {
  const scheme = readScheme(reader)
  const bits = reader.uint16()
  const exponent = reader.uint32()
  const modulus = reader.sized(MAX_MODULUS_BYTES, 'a modulus')
  const sized = modulus.length >= MIN_MODULUS_BYTES && bits === 8 * modulus.length
  if (scheme === 'ecdsa-p256' || !sized || (modulus[0] ?? 0) < 0x80)
    throw reader.malformed('not an RSA key of 2048 to 4096 bits')
  if (exponent !== 0 && exponent !== DEFAULT_EXPONENT) throw reader.malformed('another exponent than 65537')
  return { scheme, spki: rsaSpki(modulus) }
}

const readEcc = (reader: FieldReader): Pick<AttestationKey, 'scheme' | 'spki'> => {
  const scheme = readScheme(reader)
  if (scheme !== 'ecdsa-p256' || reader.uint16() !== TPM.p256 || reader.uint16() !== TPM.null)
    throw reader.malformed('not a key on P-256')
  const x = reader.sized(COORDINATE_BYTES, 'a coordinate')
  const y = reader.sized(COORDINATE_BYTES, 'a coordinate')
  if (x.length !== COORDINATE_BYTES || y.length !== COORDINATE_BYTES)
    throw reader.malformed('a coordinate is not padded')
  return { scheme, spki: ecSpki(x, y) }
}

/**
 * A TPMT_PUBLIC of an RSA or P-256 key that signs over SHA-256.
 * @throws AttestationError boot_evidence_malformed
 * @see TPM 2.0 Library, Part 2, §12.2.4
 */
export const parseAttestationKey = (publicArea: Uint8Array): AttestationKey => {
  const reader = new FieldReader(publicArea, TPM_FORM)
  const type = reader.uint16()
  if (reader.uint16() !== TPM.sha256) throw reader.malformed('the name is not by SHA-256')
  const attributes = reader.uint32()
  reader.sized(MAX_POLICY_BYTES, 'a policy')
  if (type !== TPM.rsa && type !== TPM.ecc) throw reader.malformed('a key of another type')
  if (reader.uint16() !== TPM.null) throw reader.malformed('a signing key with a symmetric algorithm')
  const key = type === TPM.rsa ? readRsa(reader) : readEcc(reader)
  reader.finish('the public area')
  return { publicArea, attributes, ...key }
}
