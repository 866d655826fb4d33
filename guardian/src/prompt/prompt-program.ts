import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readArtefact } from './read-artefact.js'

const promptProgram = v.strictObject({
  version: v.literal('1.0.0'),
  system_instruction: v.pipe(v.string(), v.minLength(1), v.maxLength(65_536)),
  input_format: v.picklist(['structured', 'narrative']),
})

/** What a model is told to do with the inputs: AgentVault's prompt program. Its hash is its content address. */
export type PromptProgram = v.InferOutput<typeof promptProgram>

/**
 * Reads a prompt program.
 * @throws ProtocolError object_malformed, naming the member
 * @see protocol SPEC §19
 */
export const parsePromptProgram = (value: JsonValue): PromptProgram =>
  readArtefact(promptProgram, value, 'prompt program')
