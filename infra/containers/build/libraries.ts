import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'

/** A shared library of this machine that a program needs. */
export type Library = {
  /** Where the loader looks for it, and where it lies in the image. */
  readonly path: string
  readonly sha256: string
  /** The Debian package that it is from and its version; null on another system. */
  readonly from: { readonly name: string; readonly version: string } | null
}

const NEEDED = /(?:=> )?(\/\S+) \(0x[0-9a-f]+\)/

/** The loader and the libraries that any of these programs needs, each once. */
export const librariesOf = (programs: readonly string[]): readonly Library[] => {
  const paths = programs.flatMap((program) =>
    execFileSync('ldd', [program], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => NEEDED.exec(line)?.[1] ?? []),
  )
  return [...new Set(paths)].sort().map((path) => ({
    path,
    sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
    from: packageOf(path),
  }))
}

const packageOf = (path: string): Library['from'] => {
  // dpkg knows a file by the path that it installed, which the links of a merged /usr may hide.
  const real = realpathSync(path)
  const owner = [path, real, real.replace(/^\/usr/, '')]
    .map((each) => ask('dpkg-query', ['--search', each]))
    .find((each) => each !== undefined)
  const [name] = (owner ?? '').split(':')
  if (name === undefined || name === '') return null
  return { name, version: ask('dpkg-query', ['--show', '--showformat', '${Version}', name]) ?? '' }
}

const ask = (program: string, args: readonly string[]): string | undefined => {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
