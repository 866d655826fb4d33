import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every file under a folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

/** Every byte of every file under a folder, and their names. */
export const bytesIn = (folder: string): Buffer =>
  Buffer.concat(filesIn(folder).flatMap((path) => [Buffer.from(path), readFileSync(path)]))
