import { hash, type JsonObject, type JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { parseGuardianPolicy } from '../../src/index.js'
import { policyObject, ruleObject } from './policy-object.js'

const rule = (change: JsonObject) => ({ ...policyObject, rules: [{ ...ruleObject, ...change }] })
const patterned = { ...ruleObject, type: 'pattern_reject', value: '[0-9]{3}' }
const numeric = Object.fromEntries(
  Object.entries({ ...ruleObject, type: 'numeric_string_reject' }).filter(([name]) => name !== 'value'),
)
const canary = { rule_id: 'c', type: 'canary_reject', min_characters: 6, classification: 'GATE' }
const narrowing = {
  rule_id: 'n',
  type: 'recipient_narrowing',
  role: 'responder',
  omit: ['reason'],
  classification: 'GATE',
}
const only = (rule: JsonObject) => ({ ...policyObject, rules: [rule] })
const without = (member: string) =>
  Object.fromEntries(Object.entries(policyObject).filter(([name]) => name !== member))

describe('a guardian policy', () => {
  test('keeps every member, so that it hashes as the object that was read', () => {
    expect(hash(parseGuardianPolicy(policyObject))).toBe(hash(policyObject))
  })

  test('that AgentVault ships has the hash that AgentVault gives it', () => {
    const categories = [
      ['no_digits', 'Nd'],
      ['no_currency_symbols', 'Sc'],
    ] as const
    const api = ['claude-sonnet', 'claude-haiku', 'gpt5', 'gpt41mini', 'gemini3flash', 'gemini3flash-lite']
    const policy = parseGuardianPolicy({
      policy_version: '1',
      policy_id: 'compatibility_safe_v1',
      policy_scope: 'RELAY_GLOBAL',
      model_profile_allowlist: api.map((model) => `api-${model}-v1`),
      provider_allowlist: ['anthropic', 'openai', 'gemini'],
      max_output_tokens: null,
      rules: categories.map(([rule_id, value]) => ({
        rule_id,
        type: 'unicode_category_reject',
        value,
        scope: { kind: 'all_string_values', skip_keys: ['schema_version'] },
        classification: 'GATE',
      })),
      entropy_constraints: { budget_bits: 32, classification: 'ADVISORY', review_trigger_pct: 80 },
    })
    expect(hash(policy)).toBe('fda48c90d65dc2f4a9d6bc6efc07026577f6a1df7043f59303d1d836e14cc64d')
  })

  test('keeps every member of every rule', () => {
    const full = { ...policyObject, rules: [ruleObject, { ...patterned, rule_id: 'p' }, canary, narrowing] }
    const more = { ...full, rules: [...full.rules, { ...numeric, rule_id: 'd' }] }
    expect(hash(parseGuardianPolicy(more))).toBe(hash(more))
  })

  test('may have no rules and no entropy constraints', () => {
    expect(parseGuardianPolicy({ ...policyObject, rules: [], entropy_constraints: null }).rules).toEqual([])
  })

  test.each(Object.keys(policyObject))('is refused without %s, which its hash covers', (member) => {
    expect(() => parseGuardianPolicy(without(member))).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  })

  test.each<[string, JsonValue]>([
    ['null', null],
    ['a list', []],
    ['an unknown member', { ...policyObject, extra: 1 }],
    [
      'a member called __proto__',
      JSON.parse(`${JSON.stringify(policyObject).slice(0, -1)},"__proto__":1}`) as JsonValue,
    ],
    ['another version', { ...policyObject, policy_version: '2' }],
    ['another scope', { ...policyObject, policy_scope: 'PAIR' }],
    ['an empty id', { ...policyObject, policy_id: '' }],
    ['an allow-list of numbers', { ...policyObject, provider_allowlist: [1] }],
    ['a token limit of zero', { ...policyObject, max_output_tokens: 0 }],
    ['a fractional token limit', { ...policyObject, max_output_tokens: 1.5 }],
    ['rules that are no list', { ...policyObject, rules: {} }],
    ['an unknown rule type', rule({ type: 'regex_reject' })],
    ['an unknown category', rule({ value: 'Lu' })],
    ['a category in small letters', rule({ value: 'nd' })],
    ['an unknown scope kind', rule({ scope: { kind: 'all_keys', skip_keys: [] } })],
    ['a scope without skip_keys', rule({ scope: { kind: 'all_string_values' } })],
    ['a scope with more', rule({ scope: { kind: 'all_string_values', skip_keys: [], depth: 1 } })],
    ['an unknown classification', rule({ classification: 'WARN' })],
    ['an unknown member of a rule', rule({ note: '' })],
    ['a rule id twice', { ...policyObject, rules: [ruleObject, ruleObject] }],
    ['a numeric rule with a value', only({ ...numeric, value: 'Nd' })],
    [
      'a numeric rule without a scope',
      only({ rule_id: 'd', type: 'numeric_string_reject', classification: 'GATE' }),
    ],
    ['a pattern with look-ahead', only({ ...patterned, value: 'a(?=b)' })],
    ['a pattern that matches nothing at all', only({ ...patterned, value: 'a?' })],
    ['a pattern of over 256 units', only({ ...patterned, value: '[ab]'.repeat(65) })],
    ['an empty pattern', only({ ...patterned, value: '' })],
    ['a pattern that is no text', only({ ...patterned, value: 1 })],
    ['a canary rule that only advises', only({ ...canary, classification: 'ADVISORY' })],
    ['a canary of three characters', only({ ...canary, min_characters: 3 })],
    ['a canary of 257 characters', only({ ...canary, min_characters: 257 })],
    ['a canary of half a character', only({ ...canary, min_characters: 4.5 })],
    ['a canary rule with a scope', only({ ...canary, scope: ruleObject.scope })],
    ['a narrowing that only advises', only({ ...narrowing, classification: 'ADVISORY' })],
    ['a narrowing for an unknown role', only({ ...narrowing, role: 'mediator' })],
    ['a narrowing for a ninth participant', only({ ...narrowing, role: 'participant_9' })],
    ['a narrowing for a participant called by number', only({ ...narrowing, role: 'participant_1' })],
    ['a narrowing that omits nothing', only({ ...narrowing, omit: [] })],
    ['a narrowing that omits a member twice', only({ ...narrowing, omit: ['a', 'a'] })],
    ['a narrowing that omits no name', only({ ...narrowing, omit: [''] })],
    ['a narrowing that omits a number', only({ ...narrowing, omit: [1] })],
    ['a narrowing with a scope', only({ ...narrowing, scope: ruleObject.scope })],
    [
      'over 256 rules',
      {
        ...policyObject,
        rules: Array.from({ length: 257 }, (_, nth) => ({ ...ruleObject, rule_id: `r${nth}` })),
      },
    ],
    [
      'a negative budget',
      {
        ...policyObject,
        entropy_constraints: { budget_bits: -1, classification: 'GATE', review_trigger_pct: 80 },
      },
    ],
    [
      'a trigger over 100',
      {
        ...policyObject,
        entropy_constraints: { budget_bits: 1, classification: 'GATE', review_trigger_pct: 101 },
      },
    ],
    [
      'constraints without a trigger',
      { ...policyObject, entropy_constraints: { budget_bits: 1, classification: 'GATE' } },
    ],
  ])('is refused: %s', (_, value) => {
    expect(() => parseGuardianPolicy(value)).toThrow(expect.objectContaining({ code: 'object_malformed' }))
  })

  test('is refused without its values in the message', () => {
    expect(() => parseGuardianPolicy({ ...policyObject, policy_scope: 'CANARY' })).not.toThrow('CANARY')
  })
})
