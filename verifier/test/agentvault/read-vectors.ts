import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the vectors. */
const FOLDER = fileURLToPath(new URL('../../vectors/agentvault', import.meta.url))

/** A folder of vectors: its files by name. */
export type VectorFiles = {
  readonly name: string
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

/** All of them. */
export const readVectors = (): readonly VectorFiles[] =>
  readdirSync(FOLDER).map((name) => ({
    name,
    files: new Map(
      readdirSync(join(FOLDER, name)).map((file) => [
        file,
        new Uint8Array(readFileSync(join(FOLDER, name, file))),
      ]),
    ),
  }))
