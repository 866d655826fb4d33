/** A field of bytes, text or an embedded message. */
export const bytesField = (number: number, value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])
}

/** A field of a whole number or an enumeration. */
export const numberField = (number: number, value: number): Buffer =>
  Buffer.concat([varint(number * 8), varint(value)])

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80)
  return Buffer.from([...bytes, rest])
}
