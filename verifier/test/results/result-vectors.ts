import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type JsonValue, parseJson } from '@parley/protocol'
import type { ResultCase } from './result-cases.js'

/** The vectors of results, a folder each. */
export const VECTORS = fileURLToPath(new URL('../../vectors/results', import.meta.url))

/** What has to come out, beside the files that the results are. */
export type Expectation = {
  readonly procedure: 'evidence' | 'bundle'
  readonly now: string
  readonly exit_code: number
  readonly cpu0: string
  readonly relay: string
}

export const vectorNames = (): readonly string[] => readdirSync(VECTORS).sort()

/** A file of a vector; null where the vector has none of that name. */
export const readFile = (name: string, file: string): Uint8Array | null => {
  const path = join(VECTORS, name, file)
  return existsSync(path) ? new Uint8Array(readFileSync(path)) : null
}

export const readJsonFile = (name: string, file: string): JsonValue =>
  parseJson(readFile(name, file) ?? new Uint8Array())

/** A vector: what is judged, and what is expected of it. */
export const readVector = (name: string): { readonly given: ResultCase; readonly expected: Expectation } => {
  const expected = readJsonFile(name, 'expect.json') as Expectation
  const root = readFile(name, 'root.der')
  const given = {
    procedure: expected.procedure,
    bytes: readFile(name, `${expected.procedure}.json`) ?? new Uint8Array(),
    policy: readJsonFile(name, 'policy.json'),
    roots: root === null ? [] : [{ certificate: root, simulated: true as const }],
    now: Date.parse(expected.now),
  }
  return { given, expected }
}
