import { createHash } from 'node:crypto'

/** One measurement to log. Its digest is that of the data, unless it is of something else. */
export type LoggedEvent = {
  readonly pcr: number
  readonly type: number
  readonly data: Uint8Array
  /** SHA-256; of the data where absent. */
  readonly digest?: Uint8Array
}

const NO_ACTION = 3
const SHA256 = 0x000b
const SHA384 = 0x000c
const HEADER = 'Spec ID Event03\0'

const u8 = (value: number): Buffer => Buffer.from([value])
const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** SHA-256 that an event extends its register by. */
export const digestOf = ({ data, digest }: LoggedEvent): Uint8Array =>
  digest ?? createHash('sha256').update(data).digest()

const header = (): Buffer => {
  const sizes = [u16(SHA256), u16(32), u16(SHA384), u16(48)]
  const spec = Buffer.concat([
    Buffer.from(HEADER, 'ascii'),
    u32(0),
    u8(0),
    u8(2),
    u8(0),
    u8(2),
    u32(2),
    ...sizes,
    u8(0),
  ])
  return Buffer.concat([u32(0), u32(NO_ACTION), Buffer.alloc(20), u32(spec.length), spec])
}

const encodeEvent = (event: LoggedEvent): Buffer => {
  const { pcr, type, data } = event
  const second = createHash('sha384').update(data).digest()
  const digests = [u16(SHA256), digestOf(event), u16(SHA384), second]
  return Buffer.concat([u32(pcr), u32(type), u32(2), ...digests, u32(data.length), data])
}

/** A crypto-agile event log, as firmware keeps it: little-endian, a SHA-256 and a SHA-384 for each event. */
export const encodeEventLog = (events: readonly LoggedEvent[]): Uint8Array =>
  Buffer.concat([header(), ...events.map(encodeEvent)])
