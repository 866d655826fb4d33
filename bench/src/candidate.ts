/** What a ratio to the floor is held against. */
export type Bar = { readonly atMost: number } | { readonly atLeast: number }

/** One way of doing a thing. */
export type Candidate = {
  readonly name: string
  /** Does it so many times; the CPU time that this took, in microseconds, of the process that does it. */
  readonly cpu: (times: number) => Promise<number>
  readonly bar?: Bar
}

/** Candidates that do the same, and the floor that none can go below. */
export type Contest = {
  readonly title: string
  readonly floor: Candidate
  readonly rivals: readonly Candidate[]
  /** How many things are done at a time, where it is not one: microseconds are given for one. */
  readonly per?: number
  /** CPU time of a slice in milliseconds, where the usual one is too short to be even; each candidate warms up for twenty. */
  readonly sliceMs?: number
  /** What has to be said beside the figures; gets the rows by name. */
  readonly notes?: (microseconds: ReadonlyMap<string, number>) => readonly string[]
}

/** A group of contests; what it holds open is closed when the last one is over. */
export type Group = () => AsyncIterable<Contest> | Iterable<Contest>

type Run = () => void | Promise<void>

/** A candidate that runs in this process. */
export function inProcess(name: string, run: Run, bar?: Bar): Candidate {
  const cpu = async (times: number): Promise<number> => {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i += 1) {
      const done = run()
      // A synchronous run is not charged with a turn of the microtask queue.
      if (done !== undefined) await done
    }
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  return bar === undefined ? { name, cpu } : { name, cpu, bar }
}
