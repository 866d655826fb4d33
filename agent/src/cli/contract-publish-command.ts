import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { buildContract, loadRegistry } from '@parley/guardian'
import { hash } from '@parley/protocol'
import { orUnusable } from '../private-file.js'
import { readContractFolder } from './contract-folder.js'
import { publishedObjects, withPublication } from './contract-publication.js'
import { readRegistryFiles } from './contract-registry.js'
import { type Io, printJson } from './io.js'

/** The options of `parley contract publish`. */
export type PublishOptions = { readonly registry: string; readonly rich?: true }

/**
 * `parley contract publish`: puts a written contract into a registry: schema, program and offer under their hashes, and
 * into the indexes under `NAME-vVERSION` and `NAME@latest`. What is there already stays, and nothing is written unless
 * the registry that it makes is whole.
 */
export const runPublish = async (folder: string, options: PublishOptions, io: Io): Promise<number> => {
  const files = readRegistryFiles(options.registry)
  const opened = await readContractFolder(folder, loadRegistry(files))
  buildContract({ ...opened, participants: opened.offer.roles })
  const day = new Date(io.clock.nowMs()).toISOString().slice(0, 10)
  const publication = { name: basename(resolve(folder)), opened, day, rich: options.rich === true }
  const grown = withPublication(files, publication)
  const { rootHash } = loadRegistry(grown)
  for (const [path, bytes] of grown)
    if (files.get(path) !== bytes) {
      const file = join(options.registry, path)
      await orUnusable(file, writeFile(file, bytes))
    }
  const references = Array.from(
    publishedObjects(opened),
    ([kind, object]) => [kind, `sha256:${hash(object)}`] as const,
  )
  printJson(io, { published: Object.fromEntries(references), registry_root: rootHash })
  return 0
}
