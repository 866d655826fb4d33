import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { classification, policyRule, policyText } from './policy-rule.js'

const integer = (least: number, most: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

const entropyConstraints = v.strictObject({
  budget_bits: integer(0, 65_535),
  classification,
  review_trigger_pct: integer(0, 100),
})

const rules = v.pipe(
  v.array(policyRule),
  v.maxLength(256),
  v.check((all) => new Set(all.map(({ rule_id }) => rule_id)).size === all.length, 'rule_id named once'),
)

const guardianPolicy = v.strictObject({
  policy_version: v.literal('1'),
  policy_id: policyText,
  policy_scope: v.literal('RELAY_GLOBAL'),
  model_profile_allowlist: v.array(policyText),
  provider_allowlist: v.array(policyText),
  max_output_tokens: v.nullable(integer(1, Number.MAX_SAFE_INTEGER)),
  rules,
  entropy_constraints: v.nullable(entropyConstraints),
})

/** What may leave, whatever the contract: AgentVault's policy object, with rule types of our own. Its hash is its content address. */
export type GuardianPolicy = v.InferOutput<typeof guardianPolicy>

/**
 * Reads a guardian policy. Every member is present, since the hash covers AgentVault's defaults; an unknown
 * member, rule type, category or scope is refused here, not skipped when it should have matched.
 * @throws ProtocolError object_malformed, naming the member
 * @see protocol SPEC §17
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
