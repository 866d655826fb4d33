import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { atEnd } from './cleanup.js'

/** How a program ended, and what it said. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

/** The absolute path of a file of the repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** A file of the built product; without it there is nothing to promise about. */
export const built = (path: string): string => {
  const file = inRepository(path)
  if (!existsSync(file))
    throw new Error(`${path} is missing: this promise is about the built product (npm run build)`)
  return file
}

/** Runs `node ARGS` to its end, in exactly the given environment beside PATH. */
export const runProgram = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const env = { PATH: process.env['PATH'] ?? '', ...environment }
  const cwd = inRepository('.')
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  atEnd(() => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  await once(child, 'close')
  return { code: child.exitCode, out, err }
}
