/** One write of a transaction. Records and logs are separate name spaces. */
export type Write =
  | {
      readonly kind: 'put'
      readonly key: string
      readonly value: Uint8Array
      /** Refuses the transaction if the record exists. */
      readonly expect?: 'absent'
      readonly shown?: Shown
    }
  | {
      readonly kind: 'append'
      readonly log: string
      /** Must be the number of entries that the log has, or the transaction is refused. */
      readonly index: number
      readonly value: Uint8Array
      readonly shown?: Shown
    }
  /** Puts another value in the place of an entry, which must be there; `shown` as the entry had it. */
  | {
      readonly kind: 'replace'
      readonly log: string
      readonly index: number
      readonly value: Uint8Array
      readonly shown?: Shown
    }
  /** Takes a record away that shows nothing, if it is there. */
  | { readonly kind: 'remove'; readonly key: string }

/**
 * What the owner of the disk may read of a value that is sealed, 65,535 octets at most. The record, or the log, stands
 * under its own name then; whoever shows something of one shows it at each write of it. A store that seals nothing
 * shows all, and passes over this.
 */
export type Shown = Uint8Array

/** Keyed records and append-only logs with one durable, atomic commit. */
export type Store = {
  /** The record's bytes; the caller owns them. */
  readonly get: (key: string) => Uint8Array | undefined
  /** Every entry of a log in order; nothing for a log that was never written. */
  readonly log: (name: string) => Iterable<Uint8Array>
  /**
   * Commits all writes or none, and resolves once they are on the disk. Later writes of one commit see earlier ones.
   * @throws RelayError `store_conflict` if an expectation failed: nothing was written, the store stays usable.
   * @throws RelayError `store_failed` if the disk failed: the store accepts nothing more, since what it holds is unknown.
   */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** A write whose value is made in the transaction, when the writes before it have been applied. */
export type Made = { readonly kind: 'made'; readonly key: string; readonly make: () => Uint8Array }

/** A store that also tells everything that it holds. */
export type ListedStore = Omit<Store, 'commit'> & {
  readonly commit: (writes: readonly (Write | Made)[]) => Promise<void>
  readonly records: () => Iterable<{ readonly name: string; readonly value: Uint8Array }>
  readonly entries: () => Iterable<{
    readonly log: string
    readonly index: number
    readonly value: Uint8Array
  }>
}
