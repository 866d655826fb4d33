import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  AttestationError,
  type AttestationErrorCode,
  type Evidence,
  type ExtraRoot,
  parseQuote,
  type TableEntry,
  tableCertificates,
  tableCrl,
} from '../src/index.js'

/** The vectors of this room, a folder each. */
export const VECTORS = fileURLToPath(new URL('../vectors/evidence', import.meta.url))

export type Expectation = {
  outcome: 'genuine' | 'refused'
  code: AttestationErrorCode | null
  now: string
  trusted_roots: string[]
}

export const vectorNames = (): string[] => readdirSync(VECTORS).sort()

const read = (folder: string, name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)))

/** The parts of a raw quote as evidence. */
export const fromQuote = (bytes: Uint8Array): Evidence & { table: readonly TableEntry[] } => {
  const { report, table } = parseQuote(bytes)
  return { report, certificates: tableCertificates(table), table, ...tableCrl(table) }
}

/** Evidence in a folder: report.bin with certificates of any name and perhaps ark.crl, or quote.bin. */
export const readEvidence = (folder: string): Evidence => {
  const names = readdirSync(folder).sort()
  if (names.includes('quote.bin')) return fromQuote(read(folder, 'quote.bin'))
  const certificates = names.filter((name) => /\.(?:der|pem)$/.test(name)).map((name) => read(folder, name))
  const crl = names.includes('ark.crl') ? { crl: read(folder, 'ark.crl') } : {}
  return { report: read(folder, 'report.bin'), certificates, ...crl }
}

export type Vector = { expected: Expectation; now: Date; roots: ExtraRoot[]; evidence: () => Evidence }

/** A vector: what is expected, the roots to trust, and the evidence, which may refuse to be taken apart. */
export const readVector = (name: string): Vector => {
  const folder = join(VECTORS, name)
  const expected = JSON.parse(readFileSync(join(folder, 'expect.json'), 'utf8')) as Expectation
  const roots = expected.trusted_roots.map(
    (file): ExtraRoot => ({ certificate: read(folder, file), simulated: true }),
  )
  return { expected, now: new Date(expected.now), roots, evidence: () => readEvidence(folder) }
}

/** A genuine vector, ready to be judged. */
export const genuineInput = (name: string): Evidence & { now: Date; roots: ExtraRoot[] } => {
  const { now, roots, evidence } = readVector(name)
  return { ...evidence(), now, roots }
}

/** The code that something is refused with; null where it is not. */
export const codeOf = async (act: () => unknown): Promise<string | null> => {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof AttestationError) return error.code
    throw error
  }
}
