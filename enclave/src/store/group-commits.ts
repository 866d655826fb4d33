import { RelayError } from '../relay-error.js'

type Waiting = {
  readonly work: () => void
  readonly settle: (failure: RelayError | undefined) => void
}

/** Commits that share one flush of the disk, each still all or nothing. */
export type GroupCommits = {
  readonly add: (work: () => void) => Promise<void>
  /** Flushes what waits, and refuses what comes later. */
  readonly close: () => void
}

/**
 * Gathers the commits of one turn of the event loop into one transaction, in the order in which they came.
 * @param transact runs its argument in a durable transaction, or inside one in a nested transaction; rolls back what
 * throws
 */
export function groupCommits(transact: (work: () => void) => void): GroupCommits {
  let waiting: Waiting[] = []
  let closed = false
  const flush = (): void => {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    const failures = closed ? undefined : runGroup(transact, group)
    // After a failed flush nobody knows what the disk holds, and asking it again may answer from a cache.
    if (failures === undefined) closed = true
    group.forEach(({ settle }, index) => {
      settle(failures === undefined ? storeFailed() : failures[index])
    })
  }
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(storeFailed())
          return
        }
        const settle = (failure: RelayError | undefined): void => {
          if (failure === undefined) resolve()
          else reject(failure)
        }
        if (waiting.push({ work, settle }) === 1) setImmediate(flush)
      }),
    close: () => {
      flush()
      closed = true
    },
  }
}

/** What became of each commit of a group that is on the disk; undefined if the group is not. */
function runGroup(
  transact: (work: () => void) => void,
  group: readonly Waiting[],
): readonly (RelayError | undefined)[] | undefined {
  const [first, second] = group
  try {
    // Alone it needs no nested transaction: it is all that the outer one holds.
    if (first !== undefined && second === undefined) return [runOne(transact, first.work)]
    const failures: (RelayError | undefined)[] = []
    transact(() => {
      for (const { work } of group) failures.push(runOne(transact, work))
    })
    return failures
  } catch {
    return undefined
  }
}

function runOne(transact: (work: () => void) => void, work: () => void): RelayError | undefined {
  try {
    transact(work)
    return undefined
  } catch (error) {
    if (error instanceof RelayError) return error
    throw error
  }
}

const storeFailed = (): RelayError => new RelayError('store_failed', 'the store accepts no commit')
