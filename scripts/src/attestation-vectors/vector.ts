import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttestationErrorCode } from '@parley/attestation'

/** The parts of one piece of evidence, by the name of the file that holds each. */
export type Files = Readonly<Record<string, Uint8Array>>

/** One vector: evidence, and what a verifier has to say about it. */
export type Vector = {
  readonly name: string
  /** What the evidence is, and why it deserves its outcome. */
  readonly why: string
  /** Null where it is genuine. */
  readonly code: AttestationErrorCode | null
  readonly files: Files
  readonly nowMs: number
  /** The files that the verifier is given as extra roots. */
  readonly trustedRoots: readonly string[]
}

const expectation = ({ code, nowMs, trustedRoots }: Vector): string =>
  `${JSON.stringify(
    {
      outcome: code === null ? 'genuine' : 'refused',
      code,
      now: new Date(nowMs).toISOString(),
      trusted_roots: trustedRoots,
    },
    null,
    2,
  )}\n`

const source = ({ why }: Vector): string =>
  `${why}\n\nMade by \`scripts/src/make-attestation-vectors.ts\` with a simulated secure processor; its keys were thrown away.\n`

const write = (directory: string, vector: Vector): void => {
  const folder = join(directory, vector.name)
  mkdirSync(folder)
  for (const [name, bytes] of Object.entries(vector.files)) writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, 'expect.json'), expectation(vector))
  writeFileSync(join(folder, 'SOURCE.md'), source(vector))
}

/** Writes vectors anew, a folder each. */
export const writeVectors = (directory: string, vectors: readonly Vector[]): void => {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  for (const vector of vectors) write(directory, vector)
}
