import { ARTEFACT_FOLDERS, type ArtefactKind, type ContractOffer } from '@parley/guardian'
import { hash, isJsonObject, type JsonObject, type JsonValue, parseJson, utf8 } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import type { OpenedOffer } from './contract-folder.js'

/** The files of a registry by path. */
export type RegistryFiles = ReadonlyMap<string, Uint8Array>

/** A written contract, and how it is to stand in a registry. */
export type Publication = {
  readonly name: string
  readonly opened: OpenedOffer
  /** The day, YYYY-MM-DD. */
  readonly day: string
  /** Whether its outputs hold text, not codes and numbers alone. */
  readonly rich: boolean
}

/** What is published of a contract, each under its kind. */
export const publishedObjects = ({ offer, registry }: OpenedOffer): ReadonlyMap<ArtefactKind, JsonObject> => {
  const own = (kind: 'schema' | 'program', reference: string): JsonObject =>
    registry.artefact(kind, registry.resolve(kind, reference) ?? '') ?? {}
  return new Map<ArtefactKind, JsonObject>([
    ['schema', own('schema', offer.schema_ref)],
    ['program', own('program', offer.program_ref)],
    ['contract_offer', offer],
  ])
}

/**
 * The files of a registry in which a contract stands, too.
 * @throws AgentError `state_exists` if its name and version are taken, `argument_invalid`
 */
export const withPublication = (files: RegistryFiles, publication: Publication): RegistryFiles => {
  const grown = new Map(files)
  for (const [kind, object] of publishedObjects(publication.opened)) {
    const folder = ARTEFACT_FOLDERS[kind]
    const index = parseJson(files.get(`${folder}/index.json`) ?? utf8('{}'))
    grown.set(`${folder}/sha256-${hash(object)}.json`, fileOf(object))
    grown.set(`${folder}/index.json`, fileOf(grownIndex(membersOf(index), kind, object, publication)))
  }
  return grown
}

const grownIndex = (
  index: JsonObject,
  kind: ArtefactKind,
  object: JsonObject,
  { name, opened: { offer }, day, rich }: Publication,
): JsonObject => {
  const version = versionOf(offer)
  const [alias, reference] = [`${name}-v${version}`, `sha256:${hash(object)}`]
  const aliases = membersOf(index['aliases'])
  if ((aliases[alias] ?? reference) !== reference)
    throw new AgentError('state_exists', `${kind} ${alias} is another one: raise metadata_defaults.version`)
  const entry = {
    id: idOf(kind, name, offer),
    version,
    description: descriptionOf(offer),
    status: 'active',
    published_at: day,
    compatibility: { safety_class: rich ? 'RICH' : 'SAFE' },
  }
  return {
    ...index,
    // An entry that is there keeps its day and its status.
    artefacts: { [reference]: entry, ...membersOf(index['artefacts']) },
    aliases: { ...aliases, [alias]: reference },
    channels: { ...membersOf(index['channels']), [`${name}@latest`]: reference },
  }
}

const idOf = (kind: ArtefactKind, name: string, offer: ContractOffer): string => {
  if (kind === 'contract_offer') return offer.contract_offer_id
  return kind === 'schema' ? offer.output_schema_id : `${name}-program`
}

const versionOf = ({ metadata_defaults }: ContractOffer): string => {
  const version = metadata_defaults?.['version']
  if (typeof version === 'string' && /^[0-9]{1,4}$/.test(version)) return version
  throw new AgentError('argument_invalid', 'metadata_defaults.version is no number in quotes')
}

const descriptionOf = ({ metadata_defaults, contract_offer_id }: ContractOffer): string => {
  const summary = metadata_defaults?.['summary']
  return typeof summary === 'string' && summary !== '' ? summary.slice(0, 512) : contract_offer_id
}

const membersOf = (value: JsonValue | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}

const fileOf = (value: JsonObject): Uint8Array => utf8(`${JSON.stringify(value, null, 2)}\n`)
