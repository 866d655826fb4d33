import { AttestationError, type AttestationErrorCode } from '../errors.js'

/** What a reader's bytes are: the TPM writes its integers big-endian, UEFI's logs are little-endian. */
export type FieldForm = { readonly code: AttestationErrorCode; readonly littleEndian: boolean }

/** Structures of the TPM (TPM 2.0 Library, Part 2). */
export const TPM_FORM: FieldForm = { code: 'boot_evidence_malformed', littleEndian: false }

/** Structures of the event log (TCG PC Client Platform Firmware Profile). */
export const LOG_FORM: FieldForm = { code: 'event_log_malformed', littleEndian: true }

/** Reads fields in order. Nothing is read past the end, and at `finish` nothing may be left. */
export class FieldReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #form: FieldForm
  #at = 0

  constructor(bytes: Uint8Array, form: FieldForm) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.#form = form
  }

  get done(): boolean {
    return this.#at === this.#bytes.length
  }

  uint8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#take(2), this.#form.littleEndian)
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), this.#form.littleEndian)
  }

  bytes(length: number): Uint8Array {
    const start = this.#take(length)
    return this.#bytes.subarray(start, start + length)
  }

  /** A TPM2B: its length in two bytes, at most so many, and as many bytes. */
  sized(most: number, what: string): Uint8Array {
    const length = this.uint16()
    if (length > most) throw this.malformed(`${what} has ${length} bytes, over ${most}`)
    return this.bytes(length)
  }

  /** All that is left. */
  rest(): Uint8Array {
    return this.bytes(this.#bytes.length - this.#at)
  }

  finish(what: string): void {
    if (!this.done) throw this.malformed(`bytes after the end of ${what}`)
  }

  malformed(what: string): AttestationError {
    return new AttestationError(this.#form.code, what)
  }

  #take(length: number): number {
    const start = this.#at
    if (start + length > this.#bytes.length) throw this.malformed('a structure is cut short')
    this.#at = start + length
    return start
  }
}
