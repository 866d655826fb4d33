import type { Registry } from '@parley/guardian'
import type { FileFinding } from './finding.js'
import { isCedarPath, lintCedar } from './lint-cedar.js'
import { lintEngines } from './lint-engines.js'
import { lintForm } from './lint-form.js'
import { lintProviderFile } from './lint-provider-file.js'
import { lintRegistry } from './lint-registry.js'
import type { BundleFolder } from './read-bundle-folder.js'

const NEEDED = ['limits.json', 'registry-admission.json']

/**
 * Checks every file of a bundle as a relay does that starts with it: its form, and what it says of the others and of the
 * registry; the Cedar files as the one set that they are.
 */
export const lintBundle = (
  { files, hash }: BundleFolder,
  registry: () => Registry,
): readonly FileFinding[] => {
  const found = [
    ...[...files].filter(([path]) => !isCedarPath(path)).map(([path, bytes]) => lintForm(path, bytes)),
    ...missingFiles([...files.keys()]),
    ...lintProviderFile(files),
    ...lintEngines(files),
    ...lintRegistry(files, registry),
    ...lintCedar(files, hash),
  ]
  // A file may fail in several ways; passed is one in none.
  const failed = new Set(found.filter(({ result }) => result === 'failed').map(({ path }) => path))
  return found
    .filter(({ path, result }) => result === 'failed' || !failed.has(path))
    .filter(
      ({ path, detail }, at, all) =>
        at === all.findIndex((one) => one.path === path && one.detail === detail),
    )
    .sort((one, other) => (one.path < other.path ? -1 : 1))
}

const missingFiles = (paths: readonly string[]): readonly FileFinding[] => {
  const missing = NEEDED.filter((path) => !paths.includes(path))
  const all = paths.some((path) => path.startsWith('profiles/')) ? missing : [...missing, 'profiles/']
  return all.map((path) => ({ path, result: 'failed', detail: 'is missing' }))
}
