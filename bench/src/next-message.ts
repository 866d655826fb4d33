import type { ChildProcess } from 'node:child_process'

/** The next thing that a child process says, as the guard knows it. Rejects if it ends first or says something else. */
export function nextMessage<T>(
  child: ChildProcess,
  isWanted: (message: unknown) => message is T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown): void => {
      child.off('exit', onExit)
      if (isWanted(message)) resolve(message)
      else reject(new Error('a child process said something else'))
    }
    const onExit = (): void => {
      child.off('message', onMessage)
      reject(new Error('a child process has ended'))
    }
    child.once('message', onMessage).once('exit', onExit)
  })
}
