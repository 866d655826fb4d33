/** Lets so many work at a time; who waits may be told to stop. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  /** Does some work when it is its turn. Rejects with the signal's reason if that comes first. */
  async during<T>(stop: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#wait(stop)
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  async #wait(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1)
        reject(new Error('told to stop while waiting'))
      }
      const enter = (): void => {
        stop.removeEventListener('abort', leave)
        resolve()
      }
      stop.addEventListener('abort', leave, { once: true })
      this.#waiting.push(enter)
    })
  }

  #pass(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
