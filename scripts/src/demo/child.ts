import { spawn, type ChildProcess } from 'node:child_process'

/** A child process of the demo whose output lines are kept. */
export type Child = {
  readonly name: string
  /** Everything that it wrote to standard output and error. */
  readonly output: () => string
  /** The first line, past or future, that the reader turns into a value. Rejects if the child ends first. */
  readonly waitFor: <T>(read: (line: string) => T | undefined) => Promise<T>
  /** Asks it to end, and waits. Resolves to its exit code. */
  readonly stop: () => Promise<number | null>
  /** Waits until it ends by itself. */
  readonly ended: () => Promise<number | null>
}

/** Starts `node ARGS` with exactly the given environment. */
export function startChild(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Child {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = keepLines(child)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    name,
    output: lines.all,
    waitFor: (read) => lines.waitFor(read, ended, name),
    ended: () => ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

type Lines = {
  readonly all: () => string
  readonly waitFor: <T>(
    read: (line: string) => T | undefined,
    ended: Promise<number | null>,
    name: string,
  ) => Promise<T>
}

function keepLines(child: ChildProcess): Lines {
  let text = ''
  const watchers = new Set<() => void>()
  const add = (chunk: Buffer): void => {
    text += chunk.toString()
    for (const watcher of [...watchers]) watcher()
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return {
    all: () => text,
    waitFor: (read, ended, name) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          for (const line of text.split('\n')) {
            const value = read(line)
            if (value === undefined) continue
            watchers.delete(look)
            resolve(value)
            return
          }
        }
        watchers.add(look)
        look()
        void ended.then((code) => {
          if (watchers.delete(look)) reject(new Error(`${name} ended with ${String(code)}:\n${text}`))
        })
      }),
  }
}
