import { RelayError } from '../../src/relay-error.js'
import type { Store, Write } from '../../src/store/store.js'

/** What a host sees of one write: when, of which kind, and how long its value is. */
export type SeenWrite = { readonly at: number; readonly kind: Write['kind']; readonly length: number }

/** A store in memory that can be made to fail, and that notes what a host would see. */
export type MemoryStore = Store & {
  readonly seen: SeenWrite[][]
  /** The next commits fail, as many as this says. */
  failures: number
  /** The time that the host would note; a test sets it. */
  now: () => number
  readonly records: Map<string, Uint8Array>
}

export function memoryStore(): MemoryStore {
  const records = new Map<string, Uint8Array>()
  const logs = new Map<string, Uint8Array[]>()
  const seen: SeenWrite[][] = []
  const refuse = (write: Write, at: number, writes: readonly Write[]): boolean => {
    if (write.kind === 'put') return write.expect === 'absent' && records.has(write.key)
    if (write.kind === 'remove') return false
    if (write.kind === 'replace') return logs.get(write.log)?.[write.index] === undefined
    // Later writes of one commit see earlier ones.
    const earlier = writes.slice(0, at).filter((each) => each.kind === 'append' && each.log === write.log)
    return (logs.get(write.log)?.length ?? 0) + earlier.length !== write.index
  }
  const apply = (write: Write): void => {
    if (write.kind === 'append') logs.set(write.log, [...(logs.get(write.log) ?? []), write.value])
    else if (write.kind === 'replace') logs.get(write.log)?.splice(write.index, 1, write.value)
    else if (write.kind === 'remove') records.delete(write.key)
    else records.set(write.key, write.value)
  }
  const store: MemoryStore = {
    seen,
    records,
    failures: 0,
    now: () => 0,
    get: (key) => records.get(key)?.slice(),
    log: (name) => logs.get(name) ?? [],
    commit: async (writes) => {
      await Promise.resolve()
      if (store.failures > 0) {
        store.failures--
        throw new RelayError('store_failed', 'the disk is gone')
      }
      if (writes.some(refuse)) throw new RelayError('store_conflict', 'an expectation failed')
      writes.forEach(apply)
      seen.push(
        writes.map((write) => ({
          at: store.now(),
          kind: write.kind,
          length: write.kind === 'remove' ? 0 : write.value.length,
        })),
      )
    },
    close: () => Promise.resolve(),
  }
  return store
}
