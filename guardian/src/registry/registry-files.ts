import { ARTEFACT_FOLDERS } from './artefact.js'

/** A directory as its owner reads it; paths use `/`. */
export type RegistryDirectory = {
  /** The names in a folder of the directory. */
  readonly names: (folder: string) => readonly string[]
  /** The bytes of a plain file. */
  readonly read: (path: string) => Uint8Array
}

/**
 * The files of a registry: `registry.json`, and of each kind's folder `index.json` and every `sha256-…`, listed or not.
 * What else lies in the directory is for people: it is neither read nor hashed.
 */
export const registryFiles = ({ names, read }: RegistryDirectory): ReadonlyMap<string, Uint8Array> => {
  const files = new Map([['registry.json', read('registry.json')]])
  for (const folder of Object.values(ARTEFACT_FOLDERS))
    for (const name of names(folder))
      if (name === 'index.json' || name.startsWith('sha256-'))
        files.set(`${folder}/${name}`, read(`${folder}/${name}`))
  return files
}
