import { bytesOf } from '../hex.js'
import { type DerReader, malformed, TAG } from './der.js'

/** A key of one of the two kinds that AMD certifies. */
export type PublicKey = {
  readonly algorithm: 'rsa-4096' | 'p384'
  /** SubjectPublicKeyInfo. */
  readonly spki: Uint8Array
  /** PKCS#1 RSAPublicKey, or an uncompressed point. */
  readonly bytes: Uint8Array
}

type Form = {
  readonly algorithm: PublicKey['algorithm']
  /** The encoding up to the number itself, and after it. */
  readonly head: Uint8Array
  readonly tail: Uint8Array
  readonly size: number
  /** Where the key starts: after the algorithm and the count of unused bits. */
  readonly keyAt: number
}

// SubjectPublicKeyInfo of each kind (RFC 5480 §2, RFC 8017 A.1) as DER writes it: there is one way only.
const FORMS: readonly Form[] = [
  {
    algorithm: 'p384',
    head: bytesOf('3076301006072a8648ce3d020106052b8104002203620004'),
    tail: bytesOf(''),
    size: 120,
    keyAt: 23,
  },
  {
    algorithm: 'rsa-4096',
    head: bytesOf('30820222300d06092a864886f70d01010105000382020f003082020a0282020100'),
    tail: bytesOf('0203010001'),
    size: 550,
    keyAt: 24,
  },
]

const hasAt = (bytes: Uint8Array, at: number, part: Uint8Array): boolean => {
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false
  return true
}

const fits = (spki: Uint8Array, { size, head, tail, algorithm }: Form): boolean =>
  spki.length === size &&
  hasAt(spki, 0, head) &&
  hasAt(spki, size - tail.length, tail) &&
  // A modulus of 4096 bits has its highest bit set.
  (algorithm === 'p384' || (spki[head.length] ?? 0) >= 0x80)

/** Reads a SubjectPublicKeyInfo: P-384, or RSA with 4096 bits and exponent 65537. */
export const readPublicKey = (outer: DerReader): PublicKey => {
  const spki = outer.element(TAG.sequence)
  const form = FORMS.find((candidate) => fits(spki, candidate))
  if (form === undefined) throw malformed('the public key is neither P-384 nor RSA-4096 with exponent 65537')
  return { algorithm: form.algorithm, spki, bytes: spki.subarray(form.keyAt) }
}
