import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRepository } from '../demo/paths.js'
import { run } from './run.js'

const LEFT_OUT = new Set(['out', '.git', 'coverage', '.stryker-tmp'])

/**
 * Builds here and in a copy of the repository in another folder.
 * @returns the digests of both builds, one line each
 */
export function buildTwice(): readonly [string, string] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-another-folder-'))
  try {
    const copy = join(folder, 'a', 'deeper', 'one')
    const root = inRepository('.')
    cpSync(root, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !LEFT_OUT.has(source.slice(root.length).replace(/^\//, '')),
    })
    return [digestsIn(root), digestsIn(copy)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const digestsIn = (root: string): string =>
  run(process.execPath, [...process.execArgv, join(root, 'scripts/dist/image/main.js'), 'digests'], {
    cwd: root,
    env: Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  })
