import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { objectVectors, type VectorFile, withExamples } from './object-vectors.js'

// Writes protocol/vectors/objects and the examples of SPEC.md; with --check, only says what would change (exit 1).

const root = join(import.meta.dirname, '../../..')
const spec = join(root, 'protocol/SPEC.md')

async function files(): Promise<VectorFile[]> {
  const objects = objectVectors().map((file) => ({ ...file, path: join(root, 'protocol/vectors/objects', file.path) }))
  return [...objects, { path: spec, text: withExamples(await readFile(spec, 'utf8')) }]
}

async function changed(file: VectorFile): Promise<boolean> {
  return (await readFile(file.path, 'utf8').catch(() => null)) !== file.text
}

for (const file of await files()) {
  if (!(await changed(file))) continue
  process.stdout.write(`${file.path}\n`)
  if (process.argv.includes('--check')) {
    process.exitCode = 1
    continue
  }
  await mkdir(dirname(file.path), { recursive: true })
  await writeFile(file.path, file.text)
}
