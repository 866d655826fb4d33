import { spawnSync } from 'node:child_process'

/** What programs find in their environment: nothing of the caller's that changes their output. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

type Options = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }

/** Runs a program to its end. @returns its standard output */
export const run = (program: string, args: readonly string[], options: Options = {}): string =>
  runForBytes(program, args, options).toString()

/** The same where the output is no text. */
export function runForBytes(program: string, args: readonly string[], { cwd, env }: Options = {}): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...ENVIRONMENT, ...env },
    maxBuffer: 1 << 28,
  })
  if (error !== undefined) throw new Error(`${program} does not start: ${error.message}`)
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} ended with ${String(status)}:\n${stderr.toString()}`)
}
