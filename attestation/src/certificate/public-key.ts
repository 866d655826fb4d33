import { equalBytes } from '../equal-bytes.js'
import { fromHex } from '../hex.js'
import { type DerReader, malformed, TAG } from './der.js'

/** A key of one of the two kinds that AMD certifies. */
export type PublicKey = {
  readonly algorithm: 'rsa-4096' | 'p384'
  /** SubjectPublicKeyInfo. */
  readonly spki: Uint8Array
  /** PKCS#1 RSAPublicKey, or an uncompressed point. */
  readonly bytes: Uint8Array
}

type Template = {
  readonly algorithm: PublicKey['algorithm']
  /** The encoding up to the number itself, its end, and how long the whole is. */
  readonly head: string
  readonly tail: string
  readonly size: number
  /** Where the key starts: after the algorithm and the count of unused bits. */
  readonly keyAt: number
}

const TEMPLATES: readonly Template[] = [
  {
    algorithm: 'p384',
    head: '3076301006072a8648ce3d020106052b81040022036200' + '04',
    tail: '',
    size: 120,
    keyAt: 23,
  },
  {
    algorithm: 'rsa-4096',
    head: '30820222300d06092a864886f70d01010105000382020f00' + '3082020a0282020100',
    tail: '0203010001',
    size: 550,
    keyAt: 24,
  },
]

const FORMS = TEMPLATES.map(({ head, tail, ...form }) => ({
  ...form,
  head: fromHex(head) ?? new Uint8Array(),
  tail: fromHex(tail) ?? new Uint8Array(),
}))

type Form = (typeof FORMS)[number]

const fits = (spki: Uint8Array, { size, head, tail, algorithm }: Form): boolean =>
  spki.length === size &&
  equalBytes(spki.subarray(0, head.length), head) &&
  equalBytes(spki.subarray(size - tail.length), tail) &&
  // A modulus of 4096 bits has its highest bit set.
  (algorithm === 'p384' || (spki[head.length] ?? 0) >= 0x80)

/** Reads a SubjectPublicKeyInfo: P-384, or RSA with 4096 bits and exponent 65537. */
export const readPublicKey = (outer: DerReader): PublicKey => {
  const spki = outer.element(TAG.sequence)
  const form = FORMS.find((candidate) => fits(spki, candidate))
  if (form === undefined) throw malformed('the public key is neither P-384 nor RSA-4096 with exponent 65537')
  return { algorithm: form.algorithm, spki, bytes: spki.subarray(form.keyAt) }
}
