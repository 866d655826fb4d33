import { hash, isJsonObject, type JsonObject, type JsonValue, parseJson, utf8 } from '@parley/protocol'
import { ARTEFACT_FOLDERS, ARTEFACT_KINDS, type ArtefactKind } from '../../src/registry/index.js'

export const entry = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  version: '1',
  description: `What ${id} is.`,
  status: 'active',
  published_at: '2026-11-30',
  compatibility: { safety_class: 'SAFE' },
  ...more,
})

/** One artefact on a shelf. */
export type Item = {
  readonly kind: ArtefactKind
  readonly id: string
  readonly object: JsonObject
  readonly more?: JsonObject
}

export const referenceOf = (object: JsonObject): string => `sha256:${hash(object)}`
export const pathOf = (kind: ArtefactKind, object: JsonObject): string =>
  `${ARTEFACT_FOLDERS[kind]}/sha256-${hash(object)}.json`
export const file = (value: JsonValue): Uint8Array => utf8(JSON.stringify(value))

const header = {
  registry_version: '1',
  kinds: [...ARTEFACT_KINDS],
  indexes: Object.fromEntries(ARTEFACT_KINDS.map((kind) => [kind, `${ARTEFACT_FOLDERS[kind]}/index.json`])),
}

/** The files of a registry of these items, each under the alias of its id and the channel `ID@latest`. */
export const filesOf = (items: readonly Item[]): Map<string, Uint8Array> => {
  const files = new Map([['registry.json', file(header)]])
  for (const kind of ARTEFACT_KINDS) {
    const here = items.filter((item) => item.kind === kind)
    const named = (name: (id: string) => string): JsonObject =>
      Object.fromEntries(here.map(({ id, object }) => [name(id), referenceOf(object)]))
    const index = {
      version: '1',
      kind,
      artefacts: Object.fromEntries(
        here.map(({ id, object, more }) => [referenceOf(object), entry(id, more)]),
      ),
      aliases: named((id) => id),
      channels: named((id) => `${id}@latest`),
    }
    files.set(`${ARTEFACT_FOLDERS[kind]}/index.json`, file(index))
    for (const { object } of here) files.set(pathOf(kind, object), file(object))
  }
  return files
}

/** The same files with one of them changed. */
export const edited = (
  files: ReadonlyMap<string, Uint8Array>,
  path: string,
  change: (value: JsonObject) => JsonValue,
): Map<string, Uint8Array> => {
  const value = parseJson(files.get(path) ?? utf8('null'))
  if (!isJsonObject(value)) throw new Error(`no object in ${path}`)
  return new Map(files).set(path, file(change(value)))
}
