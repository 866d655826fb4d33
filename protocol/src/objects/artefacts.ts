import * as v from 'valibot'
import type { JsonValue } from '../json-value.js'
import type { Contract } from './contract.js'
import { decode } from './decode.js'
import { jsonObject } from './formats.js'

export const artefacts = v.strictObject({
  output_schema: v.nullable(jsonObject),
  prompt_program: v.nullable(jsonObject),
  model_profile: v.nullable(jsonObject),
})

/**
 * What a contract names by hash alone, so that nobody needs a registry to read it: the output schema where the contract
 * holds a stub, the prompt program and the model profile where a model evaluates. Whether the hashes are theirs is to be
 * checked (SPEC §15).
 */
export type Artefacts = v.InferOutput<typeof artefacts>

/** Of a contract that holds all that it names. */
export const NO_ARTEFACTS: Artefacts = { output_schema: null, prompt_program: null, model_profile: null }

/** Reads what came with a contract. @throws ProtocolError object_malformed */
export const parseArtefacts = (value: JsonValue): Artefacts => decode(artefacts, value, 'artefacts')

/** What evaluates a contract. One that does not say is AgentVault's: a model of a provider. */
export const evaluatorOf = ({ evaluator = 'llm' }: Contract): NonNullable<Contract['evaluator']> => evaluator
