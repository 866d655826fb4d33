import type { Store, Write } from '../store/store.js'

/** Who has conferred with whom: what tells an acquaintance's invite from a stranger's. */
export type Acquaintance = {
  readonly knows: (key: string, other: string) => boolean
  /** The writes by which all of these keys know each other, where they did not. */
  readonly writes: (keys: readonly string[]) => readonly Write[]
  /** The writes by which a key and those others know each other no more. */
  readonly forget: (key: string, others: readonly string[]) => readonly Write[]
}

/** Kept in the store, one record for each pair and direction: no stranger can push one out. */
export function createAcquaintance(store: Store): Acquaintance {
  const knows = (key: string, other: string): boolean => store.get(placeOf(key, other)) !== undefined
  return {
    knows,
    writes: (keys) =>
      keys.flatMap((key) =>
        keys.flatMap((other): readonly Write[] =>
          key === other || knows(key, other)
            ? []
            : [{ kind: 'put', key: placeOf(key, other), value: new Uint8Array(1) }],
        ),
      ),
    forget: (key, others) =>
      others
        .flatMap((other) => [placeOf(key, other), placeOf(other, key)])
        .map((place): Write => ({ kind: 'remove', key: place })),
  }
}

const placeOf = (key: string, other: string): string => `acquaintance/${key}/${other}`
