import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { ARTEFACT_FOLDERS, ARTEFACT_KINDS, type ArtefactKind } from './artefact.js'

const REFERENCE = /^sha256:[0-9a-f]{64}$/
// At most 63 characters: no name can be read as a hash.
const ALIAS = /^[a-z0-9][a-z0-9._-]{0,62}$/
const CHANNEL = /^[a-z0-9][a-z0-9._-]{0,55}@latest$/

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const reference = v.pipe(v.string(), v.regex(REFERENCE))

const entry = v.strictObject({
  id: text(128),
  version: text(32),
  description: text(512),
  status: v.picklist(['active', 'experimental', 'deprecated']),
  published_at: v.pipe(v.string(), v.isoDate()),
  compatibility: v.strictObject({ safety_class: v.picklist(['SAFE', 'RICH']) }),
})

// valibot's own record passes over some names, such as `constructor`; here every name counts.
const recordOf = <T>(name: RegExp, item: v.GenericSchema<T>) =>
  v.custom<Readonly<Record<string, T>>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(value).every(([key, inner]) => name.test(key) && v.is(item, inner)),
  )

const indexOf = (kind: ArtefactKind) =>
  v.strictObject({
    version: v.literal('1'),
    kind: v.literal(kind),
    artefacts: recordOf(REFERENCE, entry),
    aliases: recordOf(ALIAS, reference),
    channels: recordOf(CHANNEL, reference),
  })

/** An index: what stands in a folder, and by which names. */
export type RegistryIndex = v.InferOutput<ReturnType<typeof indexOf>>

const header = v.strictObject({
  registry_version: v.literal('1'),
  kinds: v.strictTuple(ARTEFACT_KINDS.map((kind) => v.literal(kind))),
  indexes: v.strictObject(
    Object.fromEntries(
      ARTEFACT_KINDS.map((kind) => [kind, v.literal(`${ARTEFACT_FOLDERS[kind]}/index.json`)]),
    ),
  ),
})

/**
 * Checks `registry.json`, which has one form in this version.
 * @throws ProtocolError object_malformed
 */
export const checkHeader = (value: JsonValue): void => {
  if (!v.is(header, value)) throw malformed('registry.json', 'is not a registry of version 1')
}

/**
 * Reads `FOLDER/index.json`. Each artefact stands once under its id and version; aliases and channels lead somewhere.
 * @throws ProtocolError object_malformed, naming the member
 */
export const parseIndex = (kind: ArtefactKind, value: JsonValue): RegistryIndex => {
  const path = `${ARTEFACT_FOLDERS[kind]}/index.json`
  const result = v.safeParse(indexOf(kind), value, { abortEarly: true })
  if (!result.success)
    throw malformed(path, `has a wrong member: ${v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'}`)
  const index = result.output
  const names = Object.values(index.artefacts).map(({ id, version }) => JSON.stringify([id, version]))
  if (new Set(names).size !== names.length) throw malformed(path, 'has two artefacts of one id and version')
  for (const [name, target] of [...Object.entries(index.aliases), ...Object.entries(index.channels)])
    if (!Object.hasOwn(index.artefacts, target))
      throw malformed(path, `has a name that leads nowhere: ${name}`)
  return index
}

/** The error of a registry's file. */
export const malformed = (path: string, what: string): ProtocolError =>
  new ProtocolError('object_malformed', `registry: ${path.slice(0, 128)} ${what}`)
