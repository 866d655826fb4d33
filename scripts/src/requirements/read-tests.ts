import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The texts of all test files of the rooms, by their path from the root. */
export const readTests = (root: string): ReadonlyMap<string, string> => {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => (name === 'test' ? join(root, name) : join(root, name, 'test')))
  return new Map(folders.flatMap(testsIn).map((path) => [relative(root, path), readFileSync(path, 'utf8')]))
}

const testsIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
  } catch {
    // A room without tests.
    return []
  }
}
