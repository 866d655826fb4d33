import { ProtocolError } from './errors.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longest text that is decoded: the work grows with the square of the length. */
const MAX_CHARACTERS = 128

/**
 * Base58 in Bitcoin's alphabet, without a multibase prefix.
 * @see draft-msporny-base58
 */
export const toBase58 = (bytes: Uint8Array): string => {
  let number = bytes.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n)
  let text = ''
  for (; number > 0n; number /= 58n) text = (ALPHABET[Number(number % 58n)] ?? '') + text
  return '1'.repeat(leading(bytes, 0)) + text
}

/**
 * The bytes of a base58 text.
 * @throws ProtocolError `encoding_malformed` on another character or more than 128 of them.
 */
export const fromBase58 = (text: string): Uint8Array => {
  if (text.length > MAX_CHARACTERS) throw new ProtocolError('encoding_malformed', 'base58 text is too long')
  let number = 0n
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value < 0) throw new ProtocolError('encoding_malformed', 'text is not base58')
    number = number * 58n + BigInt(value)
  }
  const octets: number[] = []
  for (; number > 0n; number >>= 8n) octets.unshift(Number(number & 0xffn))
  const zeros = leading(Array.from(text), '1')
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...octets])
}

/** How many items at the start equal the given one; they stand for leading zero octets. */
const leading = <T>(items: Iterable<T>, wanted: T): number => {
  let count = 0
  for (const item of items) {
    if (item !== wanted) break
    count++
  }
  return count
}
