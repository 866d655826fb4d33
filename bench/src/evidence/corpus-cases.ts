import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCertificates } from '@parley/attestation'
import { type Case, expectedOf, isTrusted } from './case.js'

const DAY_MS = 86_400_000

/** Real evidence that is genuine, from the folder that PARLEY_CORPUS names; none where it is not set. */
export async function corpusCases(): Promise<Case[]> {
  const corpus = process.env['PARLEY_CORPUS']
  const folder = corpus === undefined ? undefined : join(corpus, 'snp', 'verified')
  if (folder === undefined || !existsSync(folder)) return []
  const cases = readdirSync(folder).map((name) => readCase(folder, name))
  const trusted: Case[] = []
  for (const one of cases) if (await isTrusted(one)) trusted.push(one)
  return trusted
}

function readCase(folder: string, name: string): Case {
  const read = (file: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name, file)))
  const report = read('report.bin')
  // As DER, as a relay hands them over: what PEM costs is not what is measured.
  const parsed = readCertificates(
    readdirSync(join(folder, name))
      .filter((file) => /\.(?:der|pem)$/.test(file))
      .map(read),
  )
  const leaf = parsed.find((certificate) => certificate.leaf !== null)
  return {
    name,
    evidence: { report, certificates: parsed.map(({ der }) => der) },
    expected: expectedOf(report),
    now: (leaf?.notBeforeMs ?? 0) + DAY_MS,
    roots: [],
  }
}
