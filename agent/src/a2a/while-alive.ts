/**
 * Does something under a signal that is aborted when its time is over, and with another signal. The timer holds the
 * signal: what Node 20 makes of `AbortSignal.any` and `AbortSignal.timeout` a garbage collection can silence for good.
 */
export const whileAlive = async <T>(
  ms: number,
  closing: AbortSignal,
  use: (stop: AbortSignal) => Promise<T>,
): Promise<T> => {
  const life = new AbortController()
  const end = (): void => {
    life.abort()
  }
  const timer = setTimeout(end, ms)
  closing.addEventListener('abort', end)
  if (closing.aborted) end()
  try {
    return await use(life.signal)
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', end)
  }
}
