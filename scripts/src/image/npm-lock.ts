import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { inRepository } from '../demo/paths.js'

const lock = v.object({
  packages: v.record(
    v.string(),
    v.object({ version: v.optional(v.string()), integrity: v.optional(v.string()) }),
  ),
})

/** One npm package as a lockfile pins it. */
export type NpmPin = { readonly name: string; readonly version: string; readonly sha512: string }

/** The pins of packages at the top of a lockfile's tree. */
export function npmPins(lockFile: string, names: readonly string[]): readonly NpmPin[] {
  const { packages } = v.parse(lock, JSON.parse(readFileSync(inRepository(lockFile), 'utf8')))
  return names.map((name) => {
    const { version, integrity } = packages[`node_modules/${name}`] ?? {}
    if (version === undefined || integrity?.startsWith('sha512-') !== true)
      throw new Error(`${name} is not pinned`)
    return { name, version, sha512: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }
  })
}
