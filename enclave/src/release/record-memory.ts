import { putLast } from '../put-last.js'

/** What the last few records say, beside the bytes that say it: all participants ask for one within moments. */
export type RecordMemory<T> = {
  /** What exactly these bytes say, if that is remembered. The store has the word: other bytes are read anew. */
  readonly find: (name: string, bytes: Uint8Array) => T | undefined
  readonly keep: (name: string, bytes: Uint8Array, said: T) => void
  readonly drop: (name: string) => void
}

type Remembered<T> = { readonly bytes: Uint8Array; readonly said: T }

const MOST_RECORDS = 32
const MOST_BYTES = 131_072

/** A memory of at most 32 records, none of them over 128 KiB. */
export function createRecordMemory<T>(): RecordMemory<T> {
  const remembered = new Map<string, Remembered<T>>()
  return {
    find: (name, bytes) => {
      const known = remembered.get(name)
      return known !== undefined && Buffer.compare(known.bytes, bytes) === 0 ? known.said : undefined
    },
    keep: (name, bytes, said) => {
      if (bytes.length <= MOST_BYTES) putLast(remembered, name, { bytes, said }, MOST_RECORDS)
      else remembered.delete(name)
    },
    drop: (name) => void remembered.delete(name),
  }
}
