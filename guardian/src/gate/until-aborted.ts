/** Either a promise's value, or undefined as soon as the signal is aborted, whether or not the promise ever settles. */
export const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> => {
  if (signal.aborted) {
    work.catch(() => undefined)
    return undefined
  }
  let stop = (): void => undefined
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => {
      resolve(undefined)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
