import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(128))
const integer = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))
const classification = v.picklist(['GATE', 'ADVISORY'])

const unicodeCategoryReject = v.strictObject({
  rule_id: text,
  type: v.literal('unicode_category_reject'),
  value: v.picklist(['Nd', 'Sc']),
  scope: v.strictObject({ kind: v.literal('all_string_values'), skip_keys: v.array(v.string()) }),
  classification,
})

const entropyConstraints = v.strictObject({
  budget_bits: integer(0, 65_535),
  classification,
  review_trigger_pct: integer(0, 100),
})

const rules = v.pipe(
  v.array(v.variant('type', [unicodeCategoryReject])),
  v.check((all) => new Set(all.map(({ rule_id }) => rule_id)).size === all.length, 'rule_id named once'),
)

const guardianPolicy = v.strictObject({
  policy_version: v.literal('1'),
  policy_id: text,
  policy_scope: v.literal('RELAY_GLOBAL'),
  model_profile_allowlist: v.array(text),
  provider_allowlist: v.array(text),
  max_output_tokens: v.nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  rules,
  entropy_constraints: v.nullable(entropyConstraints),
})

/** What may leave, whatever the contract: AgentVault's policy object. Its hash is its content address. */
export type GuardianPolicy = v.InferOutput<typeof guardianPolicy>

/** A rule on an output's text. */
export type OutputRule = GuardianPolicy['rules'][number]

/**
 * Reads a guardian policy. Every member is present, since the hash covers AgentVault's defaults; an unknown
 * member, rule type, category or scope is refused here, not skipped when it should have matched.
 * @throws ProtocolError object_malformed, naming the member
 */
export const parseGuardianPolicy = (value: JsonValue): GuardianPolicy => {
  const result = v.safeParse(guardianPolicy, value, { abortEarly: true })
  if (result.success) return result.output
  const member = v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'
  throw new ProtocolError(
    'object_malformed',
    `guardian policy: member ${member} is missing, unknown or wrong`,
  )
}
