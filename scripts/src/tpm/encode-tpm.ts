import { createHash } from 'node:crypto'

/** Big-endian integers, and a TPM2B. */
export const be16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
export const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
export const tpm2b = (bytes: Uint8Array): Buffer => Buffer.concat([be16(bytes.length), bytes])

const RSA = 0x0001
const SHA256 = 0x000b
const NULL = 0x0010
const RSASSA = 0x0014
const ECDSA = 0x0018
const ECC = 0x0023
const P256 = 0x0003
const GENERATED = 0xff544347
const QUOTE = 0x8018

/** fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, restricted, sign. */
export const ATTESTS = 0x0005_0072

/** TPMT_PUBLIC of a key on P-256 that signs by ECDSA; coordinates of 32 bytes, or none for a template. */
export const eccPublic = (x: Uint8Array, y: Uint8Array, attributes: number = ATTESTS): Uint8Array =>
  Buffer.concat([
    ...[be16(ECC), be16(SHA256), be32(attributes), tpm2b(new Uint8Array())],
    ...[be16(NULL), be16(ECDSA), be16(SHA256), be16(P256), be16(NULL)],
    ...[tpm2b(x), tpm2b(y)],
  ])

/** TPMT_PUBLIC of an RSA key of 2048 bits that signs by RSASSA; the modulus, or nothing for a template. */
export const rsaPublic = (modulus: Uint8Array, attributes: number = ATTESTS): Uint8Array =>
  Buffer.concat([
    ...[be16(RSA), be16(SHA256), be32(attributes), tpm2b(new Uint8Array())],
    ...[be16(NULL), be16(RSASSA), be16(SHA256), be16(2048), be32(0), tpm2b(modulus)],
  ])

/** What a quote is to say. */
export type QuoteFields = {
  readonly qualifyingData: Uint8Array
  readonly pcrs: readonly number[]
  readonly pcrDigest: Uint8Array
}

/** TPMS_ATTEST of registers of the SHA-256 bank. */
export const encodeQuote = ({ qualifyingData, pcrs, pcrDigest }: QuoteFields): Uint8Array => {
  const select = Buffer.alloc(3)
  for (const pcr of pcrs) select[pcr >> 3] = (select[pcr >> 3] ?? 0) | (1 << (pcr & 7))
  const signer = Buffer.concat([be16(SHA256), createHash('sha256').update('a parent').digest()])
  const clock = Buffer.alloc(25)
  const selection = [be32(1), be16(SHA256), Buffer.from([3]), select]
  return Buffer.concat([
    ...[be32(GENERATED), be16(QUOTE), tpm2b(signer), tpm2b(qualifyingData), clock],
    ...[...selection, tpm2b(pcrDigest)],
  ])
}

/** TPMT_SIGNATURE by ECDSA of r ‖ s. */
export const encodeEcdsa = (signature: Uint8Array): Uint8Array =>
  Buffer.concat([be16(ECDSA), be16(SHA256), tpm2b(signature.subarray(0, 32)), tpm2b(signature.subarray(32))])
