import { bytesOf } from '../hex.js'

// AlgorithmIdentifiers (RFC 4055 §1.2; RFC 5480 §2.1.1), with tag and length.
const RSA = bytesOf('300d06092a864886f70d0101010500')
const EC_P256 = bytesOf('301306072a8648ce3d020106082a8648ce3d030107')
const EXPONENT = bytesOf('0203010001')

const lengthOf = (length: number): number[] => {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = parts.flatMap((part) => [...part])
  return Uint8Array.of(tag, ...lengthOf(content.length), ...content)
}

const spki = (algorithm: Uint8Array, key: Uint8Array): Uint8Array =>
  der(0x30, algorithm, der(0x03, Uint8Array.of(0), key))

/** SubjectPublicKeyInfo of an RSA key with exponent 65537; the modulus has its highest bit set. */
export const rsaSpki = (modulus: Uint8Array): Uint8Array =>
  spki(RSA, der(0x30, der(0x02, Uint8Array.of(0), modulus), EXPONENT))

/** SubjectPublicKeyInfo of a key on P-256; coordinates of 32 bytes. */
export const ecSpki = (x: Uint8Array, y: Uint8Array): Uint8Array =>
  spki(EC_P256, Uint8Array.of(4, ...x, ...y))
