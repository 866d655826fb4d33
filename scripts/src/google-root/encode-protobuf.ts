const varint = (value: bigint): number[] => {
  const octets: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) octets.push(Number(rest & 0x7fn) | 0x80)
  return [...octets, Number(rest)]
}

const tag = (number: number, wire: number): number[] => varint((BigInt(number) << 3n) | BigInt(wire))

/** A field of bytes. Empty ones are left out, as proto3 does. */
export const bytesField = (number: number, value: Uint8Array): Uint8Array =>
  value.length === 0
    ? new Uint8Array()
    : Buffer.concat([Uint8Array.of(...tag(number, 2), ...varint(BigInt(value.length))), value])

/** An unsigned integer. Zero is left out, as proto3 does. */
export const uintField = (number: number, value: bigint): Uint8Array =>
  value === 0n ? new Uint8Array() : Uint8Array.of(...tag(number, 0), ...varint(value))

/** A message of fields, as a field. */
export const messageField = (number: number, ...fields: readonly Uint8Array[]): Uint8Array =>
  bytesField(number, Buffer.concat(fields))
