const lengthOf = (length: number): number[] => {
  if (length < 0x80) return [length]
  if (length < 0x100) return [0x81, length]
  return [0x82, length >> 8, length & 0xff]
}

/** One DER element: its tag, and its content in parts. Contents up to 64 KiB. */
export const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content])
}

/** One DER element whose content is given in hex. */
export const derHex = (tag: number, hex: string): Buffer => der(tag, Buffer.from(hex, 'hex'))

/** Tags of what a certificate is made of (X.690 §8.1.2). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  printableString: 0x13,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context3: 0xa3,
} as const
