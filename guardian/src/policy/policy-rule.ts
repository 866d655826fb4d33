import { ROLES } from '@parley/protocol'
import * as v from 'valibot'
import { readTextPattern } from './text-pattern.js'

/** An id or a name in a policy. */
export const policyText = v.pipe(v.string(), v.minLength(1), v.maxLength(128))

/** Whether a match refuses or is noted. */
export const classification = v.picklist(['GATE', 'ADVISORY'])

const scope = v.strictObject({ kind: v.literal('all_string_values'), skip_keys: v.array(v.string()) })

/** AgentVault's one rule type. */
const unicodeCategoryReject = v.strictObject({
  rule_id: policyText,
  type: v.literal('unicode_category_reject'),
  value: v.picklist(['Nd', 'Sc']),
  scope,
  classification,
})

const numericStringReject = v.strictObject({
  rule_id: policyText,
  type: v.literal('numeric_string_reject'),
  scope,
  classification,
})

const patternReject = v.strictObject({
  rule_id: policyText,
  type: v.literal('pattern_reject'),
  value: v.pipe(
    v.string(),
    v.maxLength(256),
    v.check((pattern) => readTextPattern(pattern) !== null, 'a pattern'),
  ),
  scope,
  classification,
})

// Both look at more than the output, or decide who gets it: as advice they would mean nothing, or tell of an input.
const canaryReject = v.strictObject({
  rule_id: policyText,
  type: v.literal('canary_reject'),
  min_characters: v.pipe(v.number(), v.safeInteger(), v.minValue(4), v.maxValue(256)),
  classification: v.literal('GATE'),
})

const recipientNarrowing = v.strictObject({
  rule_id: policyText,
  type: v.literal('recipient_narrowing'),
  role: v.picklist(ROLES),
  omit: v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(128))),
    v.minLength(1),
    v.maxLength(256),
    v.check((names) => new Set(names).size === names.length, 'each member named once'),
  ),
  classification: v.literal('GATE'),
})

/** A rule of a guardian policy, each type with its own members (SPEC §17). */
export const policyRule = v.variant('type', [
  unicodeCategoryReject,
  numericStringReject,
  patternReject,
  canaryReject,
  recipientNarrowing,
])

/** A rule of a guardian policy. */
export type PolicyRule = v.InferOutput<typeof policyRule>
