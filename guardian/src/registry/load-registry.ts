import { hash, isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'
import { type Artefact, ARTEFACT_FOLDERS, ARTEFACT_KINDS, type ArtefactKind } from './artefact.js'
import type { Registry } from './registry.js'
import { checkHeader, malformed, parseIndex } from './registry-index.js'

type Shelf = {
  readonly objects: ReadonlyMap<string, JsonObject>
  readonly names: ReadonlyMap<string, string>
  readonly artefacts: readonly Artefact[]
}

const HASH = /^(?:sha256:)?(?<hash>[0-9a-f]{64})$/

/**
 * Reads a whole registry: every file is parsed and hashed again, so a name or an index that says otherwise is found here.
 * A file that no index lists, or an entry without its file, is refused too.
 * @param files by path, which uses `/`: `registry.json`, `FOLDER/index.json`, `FOLDER/sha256-HEX.json`
 * @throws ProtocolError `object_malformed`, `json_malformed`, `json_too_deep`, naming the file
 * @see protocol SPEC §18
 */
export const loadRegistry = (files: ReadonlyMap<string, Uint8Array>): Registry => {
  const values = new Map(Array.from(files, ([path, bytes]) => [path, parseJson(bytes)] as const))
  checkHeader(values.get('registry.json') ?? null)
  const shelves = new Map(ARTEFACT_KINDS.map((kind) => [kind, readShelf(kind, values)] as const))
  refuseStrangers(values, shelves)
  return registryOf(
    shelves,
    hash(Object.fromEntries(Array.from(values, ([path, value]) => [path, hash(value)]))),
  )
}

const readShelf = (kind: ArtefactKind, values: ReadonlyMap<string, JsonValue>): Shelf => {
  const folder = ARTEFACT_FOLDERS[kind]
  const { artefacts, aliases, channels } = parseIndex(kind, values.get(`${folder}/index.json`) ?? null)
  const listed = Object.entries(artefacts)
    .map(([reference, entry]) => ({ ...entry, hash: hashIn(reference) }))
    .sort((a, b) => order(a.id, b.id) || order(a.hash, b.hash))
  const names = [...Object.entries(aliases), ...Object.entries(channels)]
  return {
    objects: new Map(
      listed.map((entry) => [entry.hash, readArtefact(`${folder}/sha256-${entry.hash}.json`, values)]),
    ),
    names: new Map(names.map(([name, reference]) => [name, hashIn(reference)])),
    artefacts: listed,
  }
}

const readArtefact = (path: string, values: ReadonlyMap<string, JsonValue>): JsonObject => {
  const value = values.get(path)
  if (value === undefined) throw malformed(path, 'is listed and not there')
  if (!isJsonObject(value)) throw malformed(path, 'is not a JSON object')
  if (!path.endsWith(`/sha256-${hash(value)}.json`))
    throw malformed(path, 'holds something else than its name says')
  return value
}

const refuseStrangers = (
  values: ReadonlyMap<string, JsonValue>,
  shelves: ReadonlyMap<ArtefactKind, Shelf>,
): void => {
  const known = new Set(['registry.json'])
  for (const [kind, { objects }] of shelves) {
    known.add(`${ARTEFACT_FOLDERS[kind]}/index.json`)
    for (const content of objects.keys()) known.add(`${ARTEFACT_FOLDERS[kind]}/sha256-${content}.json`)
  }
  for (const path of values.keys()) if (!known.has(path)) throw malformed(path, 'is in no index')
}

const registryOf = (shelves: ReadonlyMap<ArtefactKind, Shelf>, rootHash: string): Registry => ({
  rootHash,
  artefact: (kind, content) => shelves.get(kind)?.objects.get(content),
  resolve: (kind, reference) => {
    const shelf = shelves.get(kind)
    const content = HASH.exec(reference)?.groups?.['hash'] ?? shelf?.names.get(reference)
    return content !== undefined && shelf?.objects.has(content) === true ? content : undefined
  },
  list: (kind) => shelves.get(kind)?.artefacts ?? [],
})

const hashIn = (reference: string): string => reference.slice('sha256:'.length)

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
