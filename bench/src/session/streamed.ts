type Call = { readonly method: string; readonly args: readonly unknown[] }

const METHODS = ['setAAD', 'setAuthTag', 'update', 'final', 'getAuthTag', 'digest']

/** Arguments to be used again later. Bytes are copied: the caller may reuse its buffers. */
export const kept = (args: readonly unknown[]): unknown[] =>
  args.map((arg) => (arg instanceof Uint8Array ? Buffer.from(arg) : arg))

/** A cipher or hash whose calls are recorded as they happen, and can all be made again. */
export class Streamed {
  readonly object: object
  bytes = 0
  readonly #make: () => object
  readonly #calls: Call[] = []

  constructor(construct: (args: readonly unknown[]) => unknown, args: readonly unknown[]) {
    this.#make = () => {
      const made = construct(args)
      if (typeof made !== 'object' || made === null) throw new Error('no cipher or hash was made')
      return made
    }
    this.object = this.#make()
    for (const method of METHODS) this.#watch(method)
  }

  again(): void {
    const object = this.#make()
    for (const { method, args } of this.#calls) {
      const call: unknown = Reflect.get(object, method)
      if (typeof call === 'function') Reflect.apply(call, object, args)
    }
  }

  #watch(method: string): void {
    const call: unknown = Reflect.get(this.object, method)
    if (typeof call !== 'function') return
    const record = (...args: unknown[]): unknown => {
      this.#calls.push({ method, args: kept(args) })
      if (method === 'update' && args[0] instanceof Uint8Array) this.bytes += args[0].length
      return Reflect.apply(call, this.object, args)
    }
    Object.defineProperty(this.object, method, { value: record })
  }
}
