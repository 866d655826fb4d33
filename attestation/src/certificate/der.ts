import { AttestationError } from '../errors.js'

/** The identifier octets that certificates of AMD's profile are made of (X.690 §8.1.2). */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context3: 0xa3,
} as const

export const malformed = (what: string): AttestationError =>
  new AttestationError('certificate_malformed', what)

/**
 * Reads DER elements in order. Only definite, minimal lengths under 64 KiB (X.690 §10.1); whatever a caller does
 * not ask for by its tag is an error, and so is what remains when it says `finish`.
 */
export class DerReader {
  readonly #bytes: Uint8Array
  #at: number
  readonly #end: number

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  get done(): boolean {
    return this.#at === this.#end
  }

  /** Where the next element starts. */
  get position(): number {
    return this.#at
  }

  /** Whether the next element has this tag. */
  nextIs(tag: number): boolean {
    return !this.done && this.#bytes[this.#at] === tag
  }

  /** The content of the next element. */
  content(tag: number): Uint8Array {
    const content = this.#take(tag)
    return this.#bytes.subarray(content, this.#at)
  }

  /** Passes over the next element. */
  skip(tag: number): void {
    this.#take(tag)
  }

  /** The next element whole, with tag and length. */
  element(tag: number): Uint8Array {
    const start = this.#at
    this.#take(tag)
    return this.#bytes.subarray(start, this.#at)
  }

  /** A reader of what is inside the next element. */
  enter(tag: number): DerReader {
    const content = this.#take(tag)
    return new DerReader(this.#bytes, content, this.#at)
  }

  /** Nothing may be left. */
  finish(what: string): void {
    if (!this.done) throw malformed(`bytes after the end of ${what}`)
  }

  /** Moves behind the next element; where its content starts. */
  #take(tag: number): number {
    if (!this.nextIs(tag)) throw malformed(`expected tag 0x${tag.toString(16)}`)
    const first = this.#byte(this.#at + 1)
    const length = first < 0x80 ? first : this.#longLength(first, this.#at + 2)
    const content = this.#at + 2 + (first < 0x80 ? 0 : first & 0x7f)
    if (content + length > this.#end) throw malformed('an element is longer than what holds it')
    this.#at = content + length
    return content
  }

  #longLength(first: number, at: number): number {
    const high = this.#byte(at)
    if (first === 0x81 && high >= 0x80) return high
    if (first === 0x82 && high !== 0) return (high << 8) | this.#byte(at + 1)
    throw malformed('a length is indefinite, not minimal, or over 64 KiB')
  }

  #byte(at: number): number {
    const byte = at < this.#end ? this.#bytes[at] : undefined
    if (byte === undefined) throw malformed('an element is cut short')
    return byte
  }
}

/** A non-negative INTEGER of one byte's range, minimally encoded (X.690 §8.3.2). */
export const readSmallInteger = (content: Uint8Array): number => {
  const first = content[0] ?? 0xff
  if (content.length === 1 && first < 0x80) return first
  const second = content[1] ?? 0
  if (content.length === 2 && first === 0 && second >= 0x80) return second
  throw malformed('an INTEGER is not between 0 and 255, or not minimal')
}

/** A BOOLEAN whose default is false: it is there only where it is true (X.690 §11.1, §11.5). */
export const readFlag = (reader: DerReader): boolean => {
  if (!reader.nextIs(TAG.boolean)) return false
  const value = reader.content(TAG.boolean)
  if (value.length !== 1 || value[0] !== 0xff) throw malformed('a flag is not DER')
  return true
}
