import {
  isJsonArray,
  isJsonObject,
  type JsonValue,
  toBase64,
  toBase64url,
  toHex,
  utf8,
} from '@parley/protocol'

const BITS = { octet: 8, digit: 6 }

/**
 * The spellings in which a secret is looked for: as it is, percent-encoded, in hexadecimal, and in base64 at each of
 * the three places where it can begin in a longer text. Any other way to spell it is not seen.
 */
export const spellingsOf = (secret: string): readonly string[] => {
  const bytes = utf8(secret)
  const shifted = [0, 1, 2].flatMap((shift) => {
    const text = new Uint8Array([...new Uint8Array(shift), ...bytes])
    const from = Math.ceil((shift * BITS.octet) / BITS.digit)
    const to = Math.floor((text.length * BITS.octet) / BITS.digit)
    return [toBase64(text), toBase64url(text)].map((coded) => coded.slice(from, to))
  })
  const hex = toHex(bytes)
  return [...new Set([secret, encodeURIComponent(secret), hex, hex.toUpperCase(), ...shifted])]
}

/** True if a string of the value, or a member's name, holds one of the spellings. */
export const holdsSpelling = (value: JsonValue, spellings: readonly string[]): boolean => {
  const isIn = (text: string): boolean => spellings.some((spelling) => text.includes(spelling))
  const walk = (part: JsonValue): boolean => {
    if (typeof part === 'string') return isIn(part)
    if (isJsonArray(part)) return part.some(walk)
    return isJsonObject(part) && Object.entries(part).some(([name, member]) => isIn(name) || walk(member))
  }
  return walk(value)
}
