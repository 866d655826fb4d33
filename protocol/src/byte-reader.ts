import { ProtocolError, type ProtocolErrorCode } from './errors.js'

/** Reads big-endian fields off the front of bytes; running short is refused under the caller's code. */
export class ByteReader {
  readonly #bytes: Uint8Array
  readonly #code: ProtocolErrorCode
  #at = 0

  constructor(bytes: Uint8Array, code: ProtocolErrorCode) {
    this.#bytes = bytes
    this.#code = code
  }

  /** True when every byte was read. */
  get done(): boolean {
    return this.#at === this.#bytes.length
  }

  u8(): number {
    return this.uint(1)
  }

  u16(): number {
    return this.uint(2)
  }

  /** An unsigned integer of `size` octets, at most six. */
  uint(size: number): number {
    let number = 0
    for (const octet of this.take(size)) number = number * 256 + octet
    return number
  }

  /** The next bytes, as a view. */
  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at)
      throw new ProtocolError(this.#code, `${length} bytes wanted, ${this.#bytes.length - this.#at} left`)
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  /** All bytes that are left, as a view. */
  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at)
  }
}
