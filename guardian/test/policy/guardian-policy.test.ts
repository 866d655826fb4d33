import { hash, type JsonObject, type JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { parseGuardianPolicy } from '../../src/index.js'
import { policyObject, ruleObject } from './policy-object.js'

const rule = (change: JsonObject) => ({ ...policyObject, rules: [{ ...ruleObject, ...change }] })
const without = (member: string) =>
  Object.fromEntries(Object.entries(policyObject).filter(([name]) => name !== member))

describe('a guardian policy', () => {
  test('keeps every member, so that it hashes as the object that was read', () => {
    expect(hash(parseGuardianPolicy(policyObject))).toBe(hash(policyObject))
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
