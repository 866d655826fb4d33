/** A forwarder that runs in this process. */
export type Forwarder = {
  readonly url: string
  /** Where origins register; null where the origin is fixed. */
  readonly controlUrl: string | null
  readonly stop: () => Promise<void>
}

/** What a forwarder's process tells the process that started it. */
export type Told = {
  readonly url: string
  readonly controlUrl: string | null
  readonly cpuMicroseconds: number
}

/** Runs a forwarder in a child process: it says where it listens, and whenever asked how much CPU time it has used. */
export function serveForwarder({ url, controlUrl, stop }: Forwarder): void {
  const tell = (): void => {
    const { user, system } = process.cpuUsage()
    process.send?.({ url, controlUrl, cpuMicroseconds: user + system } satisfies Told)
  }
  process.on('message', tell)
  process.once('disconnect', () => void stop())
  tell()
}
