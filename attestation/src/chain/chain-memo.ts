import { crypto } from '#crypto'
import type { Certificate } from '../certificate/parse-certificate.js'
import type { VerifySignature } from '../crypto-port.js'
import { toHex } from '../hex.js'

const keep = <T>(store: Map<string, T>, key: string, value: T, capacity: number): T => {
  const oldest = store.keys().next()
  if (store.size >= capacity && oldest.done !== true) store.delete(oldest.value)
  store.set(key, value)
  return value
}

// Each input with its length before it, so that no two lists have the same bytes.
const digestOf = async (inputs: readonly Uint8Array[]): Promise<string> => {
  const bytes = new Uint8Array(inputs.reduce((sum, { length }) => sum + 4 + length, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const input of inputs) {
    view.setUint32(at, input.length)
    bytes.set(input, at + 4)
    at += 4 + input.length
  }
  return toHex(await crypto.sha256(bytes))
}

/**
 * Remembers which certificates were read and which chains of them verified, so that the next report under the same
 * leaf costs one signature. Keys are digests over every byte of every certificate, and nothing is remembered but
 * parsed bytes and good signatures: pins, names, dates, TCB and policy are checked anew each time.
 */
export class ChainMemo {
  readonly #capacity: number
  readonly #read = new Map<string, readonly Certificate[]>()
  readonly #verified = new Map<string, VerifySignature>()

  /** @param capacity how many sets of certificates, and how many chains, are kept; the oldest goes first */
  constructor(capacity = 64) {
    this.#capacity = capacity
  }

  /** Certificates as read from these inputs. What can't be read is not remembered. */
  async certificates(
    inputs: readonly Uint8Array[],
    read: (inputs: readonly Uint8Array[]) => readonly Certificate[],
  ): Promise<readonly Certificate[]> {
    const key = await digestOf(inputs)
    return this.#read.get(key) ?? keep(this.#read, key, read(inputs), this.#capacity)
  }

  /** The verifier under the last key of a chain. A chain that does not verify is not remembered. */
  async chain(key: string, verify: () => Promise<VerifySignature | null>): Promise<VerifySignature | null> {
    const known = this.#verified.get(key)
    if (known !== undefined) return known
    const verified = await verify()
    return verified === null ? null : keep(this.#verified, key, verified, this.#capacity)
  }
}
