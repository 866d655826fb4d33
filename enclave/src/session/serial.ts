/** Runs tasks one after another, in the order in which they were asked for. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>

/** A queue of its own. A task that fails stops none after it. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task)
    last = run.catch(() => undefined)
    return run
  }
}
