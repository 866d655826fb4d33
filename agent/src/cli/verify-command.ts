import { run } from '@parley/verifier/node'
import type { Io } from './io.js'
import type { RootOptions } from './root-options.js'

/** The options of `parley verify`. */
export type VerifyOptions = RootOptions & {
  readonly policy: string
  readonly now?: string
  readonly json?: true
}

/** `parley verify`: the same as `parley-verify bundle`. It opens no socket. */
export const runVerify = (
  path: string,
  { policy, root, googleRoot, tpmRoot, now, json }: VerifyOptions,
  io: Io,
): Promise<number> => {
  const roots = [
    ...given('--root', root),
    ...given('--google-root', googleRoot),
    ...given('--tpm-root', tpmRoot),
  ]
  const argv = ['bundle', '--policy', policy, ...roots, ...given('--now', now)]
  // After the double hyphen a file may be called anything.
  return run([...argv, ...(json === true ? ['--json'] : []), '--', path], { ...io, now: io.clock.nowMs() })
}

const given = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value]
