import { AttestationError } from '../errors.js'

type Field =
  | { readonly number: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly number: number; readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly number: number; readonly kind: 'fixed' }

export const malformed = (what: string): AttestationError =>
  new AttestationError('endorsement_malformed', what)

const MAX_FIELD_NUMBER = 2 ** 29 - 1
const MAX_UINT32 = 0xffffffffn

/** Wire types (Protocol Buffers, Encoding). Groups, 3 and 4, are not part of proto3. */
const WIRE = { VARINT: 0, I64: 1, LEN: 2, I32: 5 } as const

class WireReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at === this.#bytes.length
  }

  field(): Field {
    const tag = this.#varint()
    const number = Number(tag >> 3n)
    if (number < 1 || number > MAX_FIELD_NUMBER) throw malformed('a field number is out of range')
    return this.#value(number, Number(tag & 7n))
  }

  #value(number: number, wire: number): Field {
    switch (wire) {
      case WIRE.VARINT:
        return { number, kind: 'varint', value: this.#varint() }
      case WIRE.LEN:
        return { number, kind: 'bytes', value: this.#take(this.#varint()) }
      case WIRE.I64:
        this.#take(8n)
        return { number, kind: 'fixed' }
      case WIRE.I32:
        this.#take(4n)
        return { number, kind: 'fixed' }
      default:
        throw malformed(`field ${number} has wire type ${wire}`)
    }
  }

  #varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1n)[0] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return this.#minimal(value, byte, shift)
    }
    throw malformed('a varint has over ten bytes')
  }

  // Serializers write the shortest form: a longer one would be a second spelling of the same message.
  #minimal(value: bigint, last: number, shift: bigint): bigint {
    if (value > 0xffff_ffff_ffff_ffffn || (last === 0 && shift > 0n))
      throw malformed('a varint is not minimal')
    return value
  }

  #take(length: bigint): Uint8Array {
    if (length > BigInt(this.#bytes.length - this.#at)) throw malformed('a field is cut short')
    const start = this.#at
    this.#at += Number(length)
    return this.#bytes.subarray(start, this.#at)
  }
}

/**
 * A message of which some fields are known. A known field must have the wire type that it is read with and occur
 * once unless it is read as repeated: where parsers differ in which one counts, none does. The others are skipped,
 * by their wire type, and listed.
 */
export class ProtobufMessage {
  /** The numbers of fields that are not known, each once. */
  readonly unknown: readonly number[]
  readonly #name: string
  readonly #fields: readonly Field[]

  /** @throws AttestationError endorsement_malformed */
  constructor(name: string, bytes: Uint8Array, known: readonly number[]) {
    const reader = new WireReader(bytes)
    const fields: Field[] = []
    while (!reader.done) fields.push(reader.field())
    this.#name = name
    this.#fields = fields
    this.unknown = [...new Set(fields.map(({ number }) => number))].filter(
      (number) => !known.includes(number),
    )
  }

  /** Field of bytes, or null where it is absent. */
  bytes(number: number): Uint8Array | null {
    const field = this.#single(number)
    if (field === null) return null
    if (field.kind !== 'bytes') throw this.#wrongType(number)
    return field.value
  }

  /** Every occurrence of a field of bytes. */
  repeated(number: number): readonly Uint8Array[] {
    return this.#fields
      .filter((field) => field.number === number)
      .map((field) => {
        if (field.kind !== 'bytes') throw this.#wrongType(number)
        return field.value
      })
  }

  /** An integer of 64 bits; 0 where it is absent. */
  uint64(number: number): bigint {
    const field = this.#single(number)
    if (field === null) return 0n
    if (field.kind !== 'varint') throw this.#wrongType(number)
    return field.value
  }

  /** An integer of 32 bits; 0 where it is absent. */
  uint32(number: number): number {
    const value = this.uint64(number)
    if (value > MAX_UINT32) throw malformed(`${this.#name} field ${number} is over 32 bits`)
    return Number(value)
  }

  #single(number: number): Field | null {
    const [field, ...more] = this.#fields.filter((candidate) => candidate.number === number)
    if (more.length > 0) throw malformed(`${this.#name} field ${number} occurs twice`)
    return field ?? null
  }

  #wrongType(number: number): AttestationError {
    return malformed(`${this.#name} field ${number} has the wrong wire type`)
  }
}
