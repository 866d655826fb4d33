import { equalBytes, ProtocolError } from '@parley/protocol'
import { Decoder, Encoder, Tag } from 'cbor-x'

/** A value of the part of CBOR that tokens need: no floats, no indefinite lengths. */
export type CborValue =
  | number
  | string
  | boolean
  | null
  | Uint8Array
  | readonly CborValue[]
  | CborMap
  | CborTag

/** Keys are integers or texts. */
export type CborMap = ReadonlyMap<number | string, CborValue>

/** A tagged value. */
export class CborTag {
  readonly tag: number
  readonly value: CborValue

  constructor(tag: number, value: CborValue) {
    this.tag = tag
    this.value = value
  }
}

const MAX_BYTES = 1 << 16
const MAX_DEPTH = 16
const OPTIONS = {
  mapsAsObjects: false,
  useRecords: false,
  structuredClone: false,
  tagUint8Array: false,
  variableMapSize: true,
  useToJSON: false,
} as const

/**
 * Encodes deterministically: shortest lengths, keys in the order of their bytes.
 * @throws ProtocolError `encoding_malformed` on what this part of CBOR has no form for
 * @see RFC 8949 §4.2.1
 */
export const encodeCbor = (value: CborValue): Uint8Array => pack(prepare(value, 0))

// The encoder keeps memory that it gives out again: what leaves here is a copy.
const pack = (prepared: unknown): Uint8Array => Uint8Array.from(new Encoder(OPTIONS).encode(prepared))

const prepare = (value: CborValue, depth: number): unknown => {
  if (depth > MAX_DEPTH) throw malformed('nested too deeply')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return prepareInteger(value)
  if (value instanceof Uint8Array) return value
  if (value instanceof CborTag) return new Tag(prepare(value.value, depth + 1), value.tag)
  return isMap(value) ? prepareMap(value, depth) : value.map((each) => prepare(each, depth + 1))
}

// Beyond 32 bits cbor-x writes a number as a float, and a bigint as the integer that it is.
const prepareInteger = (value: number): number | bigint => {
  if (!Number.isSafeInteger(value)) throw malformed('a number is no integer')
  return value > 0xff_ff_ff_ff || value < -0x1_00_00_00_00 ? BigInt(value) : value
}

const prepareMap = (map: CborMap, depth: number): ReadonlyMap<unknown, unknown> =>
  new Map(
    Array.from(map, ([key, value]) => ({ key: prepare(key, depth + 1), value: prepare(value, depth + 1) }))
      .map((entry) => ({ ...entry, bytes: pack(entry.key) }))
      .sort((left, right) => compareBytes(left.bytes, right.bytes))
      .map(({ key, value }) => [key, value]),
  )

const compareBytes = (left: Uint8Array, right: Uint8Array): number => {
  const at = left.findIndex((octet, index) => octet !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at] ?? 0) - (right[at] ?? -1)
}

const isMap = (value: readonly CborValue[] | CborMap): value is CborMap => value instanceof Map

/**
 * Decodes one value that is encoded as {@link encodeCbor} encodes it. cbor-x takes duplicate keys, long lengths and
 * more: whatever does not come out as the same bytes again is refused.
 * @param bytes at most 64 KiB
 * @throws ProtocolError `too_large`, `encoding_malformed`
 */
export const decodeCbor = (bytes: Uint8Array): CborValue => {
  if (bytes.length > MAX_BYTES) throw new ProtocolError('too_large', `CBOR of ${bytes.length} bytes`)
  const value = accept(unpack(bytes), 0)
  if (!equalBytes(encodeCbor(value), bytes)) throw malformed('not encoded deterministically')
  return value
}

const unpack = (bytes: Uint8Array): unknown => {
  try {
    const value: unknown = new Decoder(OPTIONS).decode(Uint8Array.from(bytes))
    return value
  } catch {
    throw malformed('can not be decoded')
  }
}

const accept = (value: unknown, depth: number): CborValue => {
  if (depth > MAX_DEPTH) throw malformed('nested too deeply')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (value instanceof Tag) return new CborTag(value.tag, accept(value.value, depth + 1))
  if (Array.isArray(value)) return value.map((each) => accept(each, depth + 1))
  if (value instanceof Map) return acceptMap(value, depth)
  throw malformed('a value of another kind')
}

const acceptMap = (map: ReadonlyMap<unknown, unknown>, depth: number): CborMap =>
  new Map(Array.from(map, ([key, value]) => [acceptKey(key), accept(value, depth + 1)]))

const acceptKey = (key: unknown): number | string => {
  if (typeof key === 'string') return key
  if (typeof key === 'number' || typeof key === 'bigint') return Number(key)
  throw malformed('a key is neither integer nor text')
}

const malformed = (what: string): ProtocolError => new ProtocolError('encoding_malformed', `CBOR: ${what}`)
