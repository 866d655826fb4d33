import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import { readArtefact } from './read-artefact.js'

// The names that providers and model servers give: a date, a tag, an owner.
const MODEL_ID = /^[A-Za-z0-9][\w.:@/-]{0,127}$/

const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,128}$/))

const modelProfile = v.strictObject({
  profile_version: v.literal('1'),
  profile_id: name,
  provider: v.picklist(['anthropic', 'openai', 'gemini', 'local']),
  model_id: v.pipe(v.string(), v.regex(MODEL_ID)),
  model_family: name,
  // The one mode that has a meaning here: the relay sets no reasoning option.
  reasoning_mode: v.literal('unconstrained'),
  // The relay always constrains the output.
  structured_output: v.literal(true),
})

/** Which model is asked: AgentVault's model profile. Its hash is its content address. */
export type ModelProfile = v.InferOutput<typeof modelProfile>

/**
 * Reads a model profile.
 * @throws ProtocolError object_malformed, naming the member
 * @see protocol SPEC §19
 */
export const parseModelProfile = (value: JsonValue): ModelProfile =>
  readArtefact(modelProfile, value, 'model profile')
