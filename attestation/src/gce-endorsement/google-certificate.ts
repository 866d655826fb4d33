import { type Authority, readAuthority } from '../certificate/authority.js'
import { DerReader, malformed, readSmallInteger, TAG } from '../certificate/der.js'
import { readExtensions } from '../certificate/extensions.js'
import { readValidity, type Validity } from '../certificate/validity.js'
import { equalBytes } from '../equal-bytes.js'
import { fromHex } from '../hex.js'

/** A certificate of the authority that endorses Google's firmware, parsed and not verified. */
export type GoogleCertificate = Validity & {
  readonly der: Uint8Array
  /** What the signature covers. */
  readonly tbs: Uint8Array
  /** DER of the names, compared byte by byte. */
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  /** SubjectPublicKeyInfo of an RSA key of 2048 to 8192 bits, or of what the reader took. */
  readonly spki: Uint8Array
  readonly authority: Authority
  /** AlgorithmIdentifier of the signature. */
  readonly algorithm: Uint8Array
  readonly signature: Uint8Array
}

const MAX_CERTIFICATE_BYTES = 8192
const MIN_KEY_BYTES = 256
const MAX_KEY_BYTES = 1024

// rsaEncryption with NULL (RFC 4055 §1.2) and 65537, which is what Google's key service makes.
const RSA_ENCRYPTION = fromHex('300d06092a864886f70d0101010500') ?? new Uint8Array()
const EXPONENT = Uint8Array.of(1, 0, 1)

/** Reads a SubjectPublicKeyInfo, and takes only keys of its own kind. */
type ReadSpki = (tbs: DerReader) => Uint8Array

const readVersion3 = (tbs: DerReader): void => {
  const wrapper = tbs.enter(TAG.context0)
  if (readSmallInteger(wrapper.content(TAG.integer)) !== 2)
    throw malformed('not an X.509 version 3 certificate')
  wrapper.finish('the version')
}

const readBits = (outer: DerReader): Uint8Array => {
  const bits = outer.content(TAG.bitString)
  if (bits[0] !== 0) throw malformed('a bit string does not hold whole bytes')
  return bits.subarray(1)
}

const checkRsaKey = (key: Uint8Array): void => {
  const file = new DerReader(key)
  const numbers = file.enter(TAG.sequence)
  file.finish('the RSA key')
  const [sign, ...modulus] = numbers.content(TAG.integer)
  const exponent = numbers.content(TAG.integer)
  numbers.finish('the RSA key')
  const sized =
    modulus.length >= MIN_KEY_BYTES && modulus.length <= MAX_KEY_BYTES && (modulus[0] ?? 0) >= 0x80
  if (sign !== 0 || !sized || !equalBytes(exponent, EXPONENT)) {
    throw malformed('the key is not RSA of 2048 to 8192 bits with exponent 65537')
  }
}

/** SubjectPublicKeyInfo of an RSA key of 2048 to 8192 bits. */
export const readRsaSpki = (tbs: DerReader): Uint8Array => {
  const spki = tbs.element(TAG.sequence)
  const parts = new DerReader(spki).enter(TAG.sequence)
  if (!equalBytes(parts.element(TAG.sequence), RSA_ENCRYPTION)) throw malformed('the key is not RSA')
  checkRsaKey(readBits(parts))
  parts.finish('the public key')
  return spki
}

const readTbs = (whole: Uint8Array, readSpki: ReadSpki) => {
  const outer = new DerReader(whole)
  const tbs = outer.enter(TAG.sequence)
  readVersion3(tbs)
  tbs.content(TAG.integer)
  const algorithm = tbs.element(TAG.sequence)
  const issuer = tbs.element(TAG.sequence)
  const validity = readValidity(tbs)
  const subject = tbs.element(TAG.sequence)
  const spki = readSpki(tbs)
  const authority = readAuthority(readExtensions(tbs))
  tbs.finish('the certificate to be signed')
  return { algorithm, issuer, ...validity, subject, spki, authority }
}

/**
 * A certificate from DER: X.509 v3, no extension twice, no unknown critical one, nothing after the end.
 * @param readSpki which keys it may be of
 * @throws AttestationError certificate_malformed
 */
export const parseCertificateOf = (input: Uint8Array, readSpki: ReadSpki): GoogleCertificate => {
  if (input.length > MAX_CERTIFICATE_BYTES)
    throw malformed(`a certificate has over ${MAX_CERTIFICATE_BYTES} bytes`)
  const der = new Uint8Array(input)
  const file = new DerReader(der)
  const outer = file.enter(TAG.sequence)
  file.finish('the certificate')
  const tbs = outer.element(TAG.sequence)
  const fields = readTbs(tbs, readSpki)
  // The outer algorithm is not signed: it has to repeat the inner one.
  if (!equalBytes(outer.element(TAG.sequence), fields.algorithm))
    throw malformed('two different signature algorithms')
  const signature = readBits(outer)
  outer.finish('the certificate')
  return { der, tbs, ...fields, signature }
}

/**
 * The same of an RSA key.
 * @throws AttestationError certificate_malformed
 */
export const parseGoogleCertificate = (der: Uint8Array): GoogleCertificate =>
  parseCertificateOf(der, readRsaSpki)
