const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex, two digits a byte. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte] ?? ''
  return text
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
