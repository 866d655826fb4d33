import * as v from 'valibot'
import { hash } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { decode } from './decode.js'
import { digest, integer, json, jsonObject, name, text } from './formats.js'
import { byRole, each, rolesOf } from './role.js'

const program = v.strictObject({
  language: v.literal('cel'),
  source: text(16_384),
  cost_limit: integer(1, 100_000),
})

const modelConstraints = v.strictObject({
  allowed_providers: v.array(text(128)),
  allowed_models: v.array(text(128)),
  min_tier: v.exactOptional(text(64)),
})

const contract = v.strictObject({
  // AgentVault's nine base fields: always present, null where they have nothing to say.
  purpose_code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'purpose code')),
  output_schema_id: text(128),
  output_schema: jsonObject,
  participants: v.pipe(
    each(name),
    v.check((names) => new Set(names).size === names.length, 'distinct participants'),
  ),
  prompt_template_hash: v.nullable(digest),
  entropy_budget_bits: v.nullable(integer(0, 65_535)),
  timing_class: v.nullable(text(64)),
  metadata: json,
  model_profile_id: v.nullable(text(128)),
  // AgentVault's later fields: present only when used.
  model_profile_hash: v.exactOptional(digest),
  enforcement_policy_hash: v.exactOptional(digest),
  output_schema_hash: v.exactOptional(digest),
  model_constraints: v.exactOptional(modelConstraints),
  max_completion_tokens: v.exactOptional(integer(1)),
  session_ttl_secs: v.exactOptional(integer(1)),
  invite_ttl_secs: v.exactOptional(integer(1)),
  entropy_enforcement: v.exactOptional(v.picklist(['Advisory', 'Gate', 'Strict'])),
  relay_verifying_key_hex: v.exactOptional(digest),
  // Parley's own: present only when used, so a contract without them keeps AgentVault's hash.
  evaluator: v.exactOptional(v.picklist(['cel', 'llm', 'local'])),
  program: v.exactOptional(program),
  program_hash: v.exactOptional(digest),
  input_schemas: v.exactOptional(byRole(jsonObject)),
})

const coherentContract = v.pipe(
  contract,
  v.check(({ input_schemas, participants }) => {
    if (input_schemas === undefined) return true
    const named = Object.keys(input_schemas)
    return named.length === participants.length && rolesOf(named.length).every((role) => named.includes(role))
  }, 'an input schema for each role'),
)

/** What participants agree on before they confer: AgentVault's contract object and Parley's optional members (SPEC §6). */
export type Contract = v.InferOutput<typeof contract>

/** A deterministic program that a contract carries. */
export type ContractProgram = v.InferOutput<typeof program>

/**
 * Reads a contract; unknown members are refused rather than dropped, and so are input schemas of other roles than it has.
 * @throws ProtocolError object_malformed
 */
export function parseContract(value: JsonValue): Contract {
  return decode(coherentContract, value, 'contract')
}

/** The content address of a contract, the same as AgentVault's: lower-case hex SHA-256 of its JCS bytes. */
export function contractHash(contract: Contract): string {
  return hash(contract)
}
