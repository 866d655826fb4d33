import { AttestationError } from '@parley/attestation'

const unusable = (what: string): AttestationError => new AttestationError('argument_invalid', what)

/**
 * A number in decimal digits.
 * @throws AttestationError `argument_invalid`
 */
export const parseCount = (option: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw unusable(`${option} is not a decimal number`)
  return Number(text)
}

/**
 * A number of up to 64 bits in hexadecimal digits, with 0x or without.
 * @throws AttestationError `argument_invalid`
 */
export const parseHexNumber = (option: string, text: string): bigint => {
  const digits = /^(?:0x)?([0-9a-f]{1,16})$/i.exec(text)?.[1]
  if (digits === undefined) throw unusable(`${option} is not a hexadecimal number of up to 64 bits`)
  return BigInt(`0x${digits}`)
}

/**
 * A launch digest, 48 bytes, in hexadecimal digits.
 * @throws AttestationError `argument_invalid`
 */
export const parseDigest = (option: string, text: string): Uint8Array => {
  if (!/^[0-9a-f]{96}$/i.test(text)) throw unusable(`${option} is not 48 bytes in hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

/** Lower-case hexadecimal digits. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
