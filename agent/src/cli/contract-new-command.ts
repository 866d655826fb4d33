import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContractOffer } from '@parley/guardian'
import type { JsonObject, JsonValue } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { isCode } from '../private-file.js'
import { FOLDER, type OpenedOffer } from './contract-folder.js'
import { openOffer } from './contract-offer.js'
import type { RegistryOption } from './contract-registry.js'
import type { Io } from './io.js'

/** The options of `parley contract new`. */
export type NewContractOptions = RegistryOption & { readonly from: string; readonly dir?: string }

const NAME = /^[a-z0-9][a-z0-9-]{0,47}$/

/**
 * `parley contract new`: a folder to write a contract in, which starts as a copy of an offer under another name.
 * `build`, `check` and `show` take it in place of an offer.
 */
export const runNewContract = async (name: string, options: NewContractOptions, io: Io): Promise<number> => {
  if (!NAME.test(name))
    throw new AgentError('argument_invalid', 'a name has small letters, digits and hyphens, 48 at most')
  const files = filesOf(name, await openOffer(options.from, options, io))
  const folder = options.dir ?? name
  await makeFolder(folder)
  for (const [file, content] of files) await writeFile(join(folder, file), content, { flag: 'wx' })
  io.out(`${folder}\n`)
  return 0
}

const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw new AgentError('state_exists', `${folder} exists already`)
    throw new AgentError('file_unusable', `${folder} cannot be made`)
  }
}

const filesOf = (
  name: string,
  opened: OpenedOffer,
): readonly (readonly [file: string, content: string])[] => {
  const { offer } = opened
  const [file, member] = FOLDER.programs[offer.evaluator]
  const { [member]: text, ...head } = artefactOf(opened, 'program', offer.program_ref)
  if (typeof text !== 'string')
    throw new AgentError('argument_invalid', `the offer's program has no ${member}`)
  return [
    [FOLDER.offer, pretty(headOf(name, offer, head))],
    [FOLDER.outputSchema, pretty(artefactOf(opened, 'schema', offer.schema_ref))],
    [FOLDER.inputSchemas, pretty(offer.input_schemas)],
    [file, `${text}\n`],
  ]
}

const headOf = (name: string, offer: ContractOffer, program: JsonObject): JsonObject => {
  const { schema_ref: _, program_ref: __, input_schemas: ___, metadata_defaults, ...rest } = offer
  return {
    ...rest,
    contract_offer_id: `${name}.v1`,
    output_schema_id: `${name.replaceAll('-', '_')}_v1`,
    program,
    metadata_defaults: { ...metadata_defaults, title: name, version: '1' },
  }
}

const artefactOf = ({ registry }: OpenedOffer, kind: 'schema' | 'program', reference: string): JsonObject => {
  const content = registry.resolve(kind, reference)
  const found = content === undefined ? undefined : registry.artefact(kind, content)
  if (found === undefined) throw new AgentError('argument_invalid', `the offer's ${kind} is not there`)
  return found
}

const pretty = (value: JsonValue): string => `${JSON.stringify(value, null, 2)}\n`
