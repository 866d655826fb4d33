const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte] ?? ''
  return text
}

const DIGIT_0 = 0x30
const LETTER_A_MINUS_10 = 0x61 - 10

const digitOf = (nibble: number): number => nibble + (nibble < 10 ? DIGIT_0 : LETTER_A_MINUS_10)

/** Whether a text is the lower-case hex of these bytes. */
export const isHexOf = (text: string, bytes: Uint8Array): boolean => {
  if (text.length !== 2 * bytes.length) return false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (text.charCodeAt(2 * at) !== digitOf(byte >> 4)) return false
    if (text.charCodeAt(2 * at + 1) !== digitOf(byte & 15)) return false
  }
  return true
}

/** The bytes that lower-case hex stands for, or null where the text is something else. */
export const fromHex = (text: string): Uint8Array | null => {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
    Number.parseInt(text.slice(2 * at, 2 * at + 2), 16),
  )
}

/** The bytes of a constant of the program, whose hex is known to be good; anything else is empty. */
export const bytesOf = (constant: string): Uint8Array => fromHex(constant) ?? new Uint8Array()
