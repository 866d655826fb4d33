import type { Origin } from './origin.js'

/** What a connection may do here. */
export type ConnectionRights = {
  /** An observer's tasks are recorded and run by nobody. */
  readonly mode: 'observer' | 'executor'
  /** Whom the worker acts as: the first allowed one. */
  readonly persona: string | null
  readonly max_ttl_s: number
  readonly bash: boolean
  readonly network: boolean
  readonly read_files: boolean
  readonly write_files: boolean
  readonly subagents: boolean
  readonly allowed_tools: readonly string[]
  readonly disallowed_tools: readonly string[]
  /** True if subagents were granted and are withheld: one could do what its master may not. */
  readonly subagents_restricted: boolean
}

/**
 * The rights that an origin gives: what it does not grant is denied, and subagents are only for who may do all else.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const rightsOf = (origin: Origin): ConnectionRights => {
  const { allow_bash: bash, allow_network: network, allow_write_files: write_files } = origin
  const subagents = origin.allow_subagents && bash && network && write_files
  return {
    mode: origin.spawn_worker ? 'executor' : 'observer',
    persona: origin.allowed_personas[0] ?? null,
    max_ttl_s: origin.max_ttl_s,
    bash,
    network,
    read_files: origin.allow_read_files,
    write_files,
    subagents,
    allowed_tools: origin.allowed_tools,
    disallowed_tools: origin.disallowed_tools,
    subagents_restricted: origin.allow_subagents && !subagents,
  }
}
