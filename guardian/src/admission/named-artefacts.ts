import { type Contract, hash, type JsonObject, ProtocolError } from '@parley/protocol'
import { type ModelProfile, parseModelProfile } from '../prompt/model-profile.js'
import { parsePromptProgram, type PromptProgram } from '../prompt/prompt-program.js'
import { type Refused, refused } from '../refused.js'
import type { Registry } from '../registry/registry.js'

/** Why something that a contract names by its hash is refused. The union is closed. */
export type NamedArtefactCode =
  | 'prompt_program_missing'
  /** The registry does not have it, or does not admit it. */
  | 'prompt_program_unknown'
  | 'prompt_program_malformed'
  | 'model_profile_missing'
  | 'model_profile_unknown'
  | 'model_profile_malformed'
  /** The hash names a profile of another id. */
  | 'model_profile_mismatch'

/** An artefact under the hash that named it. */
export type Found<T> = { readonly ok: true; readonly found: T; readonly hash: string }

/** The prompt program that a contract names. */
export const findPromptProgram = (
  { prompt_template_hash: named }: Contract,
  registry: Registry,
): Found<PromptProgram> | Refused<NamedArtefactCode> => {
  const at = '/prompt_template_hash'
  if (named === null) return refused('prompt_program_missing', at)
  const kept = artefact(registry, 'program', named)
  if (kept === undefined) return refused('prompt_program_unknown', at)
  const found = parsedOrNull(() => parsePromptProgram(kept))
  return found === null ? refused('prompt_program_malformed', at) : { ok: true, found, hash: named }
}

/** The model profile that a contract names, by its id and by its hash. */
export const findModelProfile = (
  { model_profile_id: id, model_profile_hash: named }: Contract,
  registry: Registry,
): Found<ModelProfile> | Refused<NamedArtefactCode> => {
  const at = '/model_profile_hash'
  if (id === null) return refused('model_profile_missing', '/model_profile_id')
  if (named === undefined) return refused('model_profile_missing', at)
  const kept = artefact(registry, 'profile', named)
  if (kept === undefined) return refused('model_profile_unknown', at)
  const found = parsedOrNull(() => parseModelProfile(kept))
  if (found === null) return refused('model_profile_malformed', at)
  if (found.profile_id !== id)
    return refused('model_profile_mismatch', '/model_profile_id', `the hash names ${found.profile_id}`)
  return { ok: true, found, hash: named }
}

// Hashed once more: a registry is a port, and the hash is all that the participants agreed on.
const artefact = (registry: Registry, kind: 'program' | 'profile', named: string): JsonObject | undefined => {
  const kept = registry.artefact(kind, named)
  return kept !== undefined && hash(kept) === named ? kept : undefined
}

const parsedOrNull = <T>(parse: () => T): T | null => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}
