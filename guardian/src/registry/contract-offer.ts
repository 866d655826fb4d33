import { type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most))
const reference = v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))
const integer = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

const contractOffer = v.strictObject({
  offer_version: v.literal('1'),
  contract_offer_id: text(128),
  purpose_code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/)),
  output_schema_id: text(128),
  schema_ref: reference,
  policy_ref: reference,
  program_ref: reference,
  /** The first is the one that a contract gets unless another is asked for; none with CEL. */
  allowed_model_profiles: v.array(reference),
  evaluator: v.picklist(['cel', 'llm']),
  /** What the participants are to each other, in role order; stand-ins for their names. */
  roles: v.pipe(v.array(text(64)), v.minLength(2), v.maxLength(8)),
  input_schemas: v.nullable(jsonObject),
  entropy_budget_bits: v.nullable(integer(0, 65_535)),
  entropy_enforcement: v.picklist(['Advisory', 'Gate', 'Strict']),
  max_completion_tokens: v.nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  metadata_defaults: v.nullable(jsonObject),
})

const coherentOffer = v.pipe(
  contractOffer,
  v.check(
    ({ evaluator, allowed_model_profiles: profiles }) => (evaluator === 'cel') === (profiles.length === 0),
    'profiles for a model, and for nothing else',
  ),
)

/**
 * A contract but for its participants: AgentVault's contract offer, and what Parley's contracts need beside it.
 * Everything it refers to it names by hash.
 */
export type ContractOffer = v.InferOutput<typeof contractOffer>

/**
 * Reads a contract offer.
 * @throws ProtocolError object_malformed, naming the member
 * @see protocol SPEC §18
 */
export const parseContractOffer = (value: JsonValue): ContractOffer => {
  const result = v.safeParse(coherentOffer, value, { abortEarly: true })
  if (result.success) return result.output
  const member = v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'
  throw new ProtocolError('object_malformed', `contract offer: member ${member} is missing, unknown or wrong`)
}
