import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ContractOffer, parseContractOffer, type Registry } from '@parley/guardian'
import { fromUtf8, hash, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { resolveName } from './contract-registry.js'
import { readJsonFile, readNamedFile } from './read-input.js'

/** An offer, and a registry that holds whatever it refers to. */
export type OpenedOffer = { readonly offer: ContractOffer; readonly registry: Registry }

/** The files of a folder in which a contract is written, and the member of a program that stands in a file of its own. */
export const FOLDER = {
  offer: 'offer.json',
  outputSchema: 'output-schema.json',
  inputSchemas: 'input-schemas.json',
  programs: { cel: ['program.cel', 'source'], llm: ['prompt.txt', 'system_instruction'] },
} as const

/** Whether a path is a folder in which a contract is written. */
export const isContractFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(join(path, FOLDER.offer))).isFile()
  } catch {
    return false
  }
}

/**
 * Reads such a folder: `offer.json` is a contract offer in which `program` stands in place of `program_ref`, without its
 * text, and references may be names of the registry. Schema, inputs and program text are files beside it.
 * @throws AgentError `argument_invalid`, ProtocolError object_malformed
 */
export const readContractFolder = async (path: string, registry: Registry): Promise<OpenedOffer> => {
  const { program: head, ...rest } = await readObject(join(path, FOLDER.offer))
  const schema = await readObject(join(path, FOLDER.outputSchema))
  const [file, member] = FOLDER.programs[rest['evaluator'] === 'cel' ? 'cel' : 'llm']
  if (head === undefined || !isJsonObject(head))
    throw new AgentError('argument_invalid', `${FOLDER.offer} has no program object`)
  const program = { ...head, [member]: await readText(join(path, file)) }
  const offer = parseContractOffer({
    ...rest,
    ...references(rest, registry),
    schema_ref: `sha256:${hash(schema)}`,
    program_ref: `sha256:${hash(program)}`,
    input_schemas: await readJsonFile(join(path, FOLDER.inputSchemas)),
  })
  return { offer, registry: withOwn(registry, new Map([schema, program].map((own) => [hash(own), own]))) }
}

const references = (offer: JsonObject, registry: Registry): JsonObject => {
  const { policy_ref: policy, allowed_model_profiles: profiles } = offer
  const named = (kind: 'policy' | 'profile', name: JsonValue | undefined): JsonValue => {
    const content = typeof name === 'string' ? resolveName(registry, kind, name) : undefined
    if (content === undefined) throw new AgentError('argument_invalid', `${FOLDER.offer}: an unknown ${kind}`)
    return `sha256:${content}`
  }
  const all = profiles !== undefined && isJsonArray(profiles) ? profiles : []
  return {
    policy_ref: named('policy', policy),
    allowed_model_profiles: all.map((one) => named('profile', one)),
  }
}

/** The registry, and artefacts that are not published yet. */
const withOwn = (registry: Registry, own: ReadonlyMap<string, JsonObject>): Registry => ({
  ...registry,
  artefact: (kind, content) => registry.artefact(kind, content) ?? own.get(content),
  resolve: (kind, reference) => registry.resolve(kind, reference) ?? ownHash(own, reference),
})

const ownHash = (own: ReadonlyMap<string, JsonObject>, reference: string): string | undefined => {
  const content = reference.replace(/^sha256:/, '')
  return own.has(content) ? content : undefined
}

const readObject = async (path: string): Promise<JsonObject> => {
  const value = await readJsonFile(path)
  if (isJsonObject(value)) return value
  throw new AgentError('argument_invalid', `${path} holds no JSON object`)
}

const readText = async (path: string): Promise<string> => fromUtf8(await readNamedFile(path)).trimEnd()
