import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../vectors')

/** The wire objects have a runner of their own. */
const ELSEWHERE = ['objects']

/** One folder of vectors: raw files, and what is expected of them. */
export type Vector = {
  readonly name: string
  readonly kind: string
  readonly expected: Record<string, unknown>
  readonly bytes: (file: string) => Uint8Array
  readonly text: (file: string) => string
}

/** What consumes the folders of one kind; it asserts. */
export type Consumer = (vector: Vector) => void

export const readVectors = (): Vector[] =>
  readdirSync(ROOT)
    .filter((name) => !ELSEWHERE.includes(name))
    .map((name) => {
      const text = (file: string) => readFileSync(join(ROOT, name, file), 'utf8')
      const bytes = (file: string) => Uint8Array.from(readFileSync(join(ROOT, name, file)))
      const { kind, ...expected } = JSON.parse(text('expect.json')) as { kind: string } & Record<string, unknown>
      return { name, kind, expected, text, bytes }
    })
