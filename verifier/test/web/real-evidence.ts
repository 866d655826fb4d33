import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCertificates } from '@parley/attestation'
import type { NamedFile } from '../../page/sort-files.js'

/** Real evidence of real machines, which this repository does not hold: PARLEY_CORPUS names the folder around `snp`. */
const ROOT = join(process.env['PARLEY_CORPUS'] ?? 'no corpus', 'snp')

/** Whether there is any. */
export const used = existsSync(ROOT)

/** The names in a folder of the corpus; none where there is no corpus. */
export const names = (kind: string): readonly string[] =>
  existsSync(join(ROOT, kind)) ? readdirSync(join(ROOT, kind)).sort() : []

/** A file of the corpus. */
export const read = (...path: readonly string[]): NamedFile => ({
  name: path.at(-1) ?? '',
  bytes: new Uint8Array(readFileSync(join(ROOT, ...path))),
})

/** The report and the certificates in a folder of the corpus. */
export const filesOf = (...path: readonly string[]): readonly NamedFile[] =>
  readdirSync(join(ROOT, ...path))
    .filter((name) => /^(?:report\.bin|.*\.(?:der|pem))$/.test(name))
    .sort()
    .map((name) => read(...path, name))

const DAY_MS = 86_400_000

/** A day after the leaf becomes valid, and a day before. */
export const aroundLeafStart = (
  files: readonly NamedFile[],
): { readonly valid: number; readonly early: number } => {
  const certificates = files.filter(({ name }) => !name.endsWith('.bin')).map(({ bytes }) => bytes)
  const leaf = readCertificates(certificates).find((certificate) => certificate.leaf !== null)
  if (leaf === undefined) throw new Error('no leaf')
  return { valid: leaf.notBeforeMs + DAY_MS, early: leaf.notBeforeMs - DAY_MS }
}
