import { describeCodes } from './contract-codes.js'
import type { ContractOffer, Registry } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'
import { printableLines } from '@parley/verifier/node'
import { openOffer } from './contract-offer.js'
import type { RegistryOption } from './contract-registry.js'
import { type Io, printJson } from './io.js'

/** The options of `parley contract show`. */
export type ShowOptions = RegistryOption & { readonly json?: true }

/** `parley contract show`: what an offer is about, in the words of whoever wrote it, and its program as it runs. */
export const runShow = async (name: string, options: ShowOptions, io: Io): Promise<number> => {
  const { offer, registry } = await openOffer(name, options, io)
  const program = registry.artefact('program', offer.program_ref.slice('sha256:'.length)) ?? {}
  const schema = registry.artefact('schema', offer.schema_ref.slice('sha256:'.length)) ?? {}
  if (options.json === true) printJson(io, { offer, output_schema: schema, program })
  else io.out(printableLines(`${text(offer, program, registry)}\n`))
  return 0
}

const text = (offer: ContractOffer, program: JsonObject, registry: Registry): string => {
  const metadata = offer.metadata_defaults ?? {}
  const said = (member: string): string => textOf(metadata[member])
  return [
    `${said('title')}  ${offer.contract_offer_id}`,
    said('summary'),
    '',
    `purpose       ${offer.purpose_code}`,
    `participants  ${offer.roles.join(', ')}`,
    `evaluator     ${offer.evaluator}, program ${offer.program_ref}`,
    `policy        ${idOf(registry, 'policy', offer.policy_ref)}`,
    ...offer.allowed_model_profiles.map((profile) => `model         ${idOf(registry, 'profile', profile)}`),
    `budget        ${offer.entropy_budget_bits === null ? 'none' : `${offer.entropy_budget_bits} bits`}, ${offer.entropy_enforcement}`,
    '',
    `Inputs: ${said('inputs')}`,
    '',
    ...describeCodes(metadata['codes']),
    `Disclosure: ${said('disclosure')}`,
    '',
    textOf(program['source'] ?? program['system_instruction']),
  ].join('\n')
}

const textOf = (value: JsonObject[string] | undefined): string => (typeof value === 'string' ? value : '-')

const idOf = (registry: Registry, kind: 'policy' | 'profile', reference: string): string => {
  const content = reference.slice('sha256:'.length)
  const entry = registry.list(kind).find(({ hash }) => hash === content)
  return `${entry?.id ?? '(not listed)'} ${reference}`
}
