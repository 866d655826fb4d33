import type { JsonObject, JsonValue } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { applyOutputRules, parseGuardianPolicy } from '../../src/index.js'
import { policyObject, ruleObject } from './policy-object.js'

const policy = (...rules: readonly JsonObject[]) =>
  parseGuardianPolicy({
    ...policyObject,
    rules: rules.map((rule, i) => ({ ...ruleObject, rule_id: `r${i}`, ...rule })),
  })

const digits = policy({ value: 'Nd' })
const currency = policy({ value: 'Sc' })

describe('Nd, as AgentVault means it, rejects every numeric character', () => {
  test.each<[string, JsonValue]>([
    ['an ASCII digit', 'a1'],
    ['an Arabic-Indic digit', '٣'],
    ['a mathematical digit beyond the BMP', '𝟙'],
    ['a Roman numeral (Nl)', 'Ⅷ'],
    ['a vulgar fraction (No)', '½'],
    ['a superscript (No)', '²'],
    ['a digit in a list', { a: ['x', '2'] }],
    ['a digit deep inside', { a: [{ b: [{ c: '2' }] }] }],
    ['a digit in a bare text', '2'],
    ['a digit in a bare list', [['2']]],
  ])('%s', (_, output) => {
    expect(applyOutputRules(digits, output)).toEqual({ ok: false, code: 'output_refused', rule_id: 'r0' })
  })

  test.each<[string, JsonValue]>([
    ['letters and punctuation', 'ABC_déjà-vu!'],
    ['JSON numbers', { a: 12, b: [3] }],
    ['member names', { a1: 'x' }],
    ['booleans and null', [true, null]],
    ['a currency sign', '€'],
    ['a number written in words', 'twelve'],
  ])('and passes %s', (_, output) => {
    expect(applyOutputRules(digits, output)).toEqual({ ok: true, findings: [] })
  })
})

describe('Sc', () => {
  test.each(['$', '€', '£', '¥', '₿', '﷼', '￠'])('rejects %s', (sign) => {
    expect(applyOutputRules(currency, { a: sign })).toMatchObject({ ok: false, rule_id: 'r0' })
  })
  test.each(['EUR', '%', '+', '12'])('passes %s', (text) => {
    expect(applyOutputRules(currency, { a: text }).ok).toBe(true)
  })
})

const scoped = (rule: JsonObject) =>
  parseGuardianPolicy({
    ...policyObject,
    rules: [{ rule_id: 'r0', scope: ruleObject.scope, classification: 'GATE', ...rule }],
  })

describe('numeric_string_reject', () => {
  const numeric = scoped({ type: 'numeric_string_reject' })
  test.each<[string, JsonValue]>([
    ['a number', '1 000'],
    ['a number deep inside', { a: [{ b: 'forty-two' }] }],
  ])('rejects %s', (_, output) => {
    expect(applyOutputRules(numeric, output)).toMatchObject({ ok: false, rule_id: 'r0' })
  })
  test.each<[string, JsonValue]>([
    ['a number in a text', 'TIER1'],
    ['JSON numbers', { a: 12 }],
    ['member names', { '12': 'x' }],
  ])('passes %s', (_, output) => {
    expect(applyOutputRules(numeric, output)).toEqual({ ok: true, findings: [] })
  })
})

describe('pattern_reject', () => {
  const patterned = scoped({ type: 'pattern_reject', value: '[A-Z]{2}[0-9]{2}' })
  test.each<[string, JsonValue]>([
    ['the pattern anywhere in a text', 'iban DE44...'],
    ['the pattern deep inside', { a: [{ b: 'DE44' }] }],
  ])('rejects %s', (_, output) => {
    expect(applyOutputRules(patterned, output)).toMatchObject({ ok: false, rule_id: 'r0' })
  })
  test.each<[string, JsonValue]>([
    ['a text without it', 'DE'],
    ['a text that has it in two parts', { a: 'DE', b: '44' }],
    ['member names', { DE44: 'x' }],
  ])('passes %s', (_, output) => {
    expect(applyOutputRules(patterned, output)).toEqual({ ok: true, findings: [] })
  })
})

describe('rules that read more than an output', () => {
  test('are left to whoever has the inputs and the roles', () => {
    const others = parseGuardianPolicy({
      ...policyObject,
      rules: [
        { rule_id: 'c', type: 'canary_reject', min_characters: 4, classification: 'GATE' },
        { rule_id: 'n', type: 'recipient_narrowing', role: 'initiator', omit: ['a'], classification: 'GATE' },
      ],
    })
    expect(applyOutputRules(others, { a: 'x' })).toEqual({ ok: true, findings: [] })
  })
})

describe('skip_keys', () => {
  const skipping = policy({ scope: { kind: 'all_string_values', skip_keys: ['version'] } })
  test('name members of the top level', () => {
    expect(applyOutputRules(skipping, { version: '2', a: 'x' }).ok).toBe(true)
    expect(applyOutputRules(skipping, { version: ['2', { b: '2' }] }).ok).toBe(true)
  })
  test('do not reach below it', () => {
    expect(applyOutputRules(skipping, { a: { version: '2' } }).ok).toBe(false)
    expect(applyOutputRules(skipping, [{ version: '2' }]).ok).toBe(false)
  })
})

describe('classification', () => {
  test('ADVISORY is a finding and stops nothing', () => {
    const advising = policy({ classification: 'ADVISORY' }, { value: 'Sc', classification: 'ADVISORY' })
    expect(applyOutputRules(advising, '5 $')).toEqual({
      ok: true,
      findings: ['r0', 'r1'],
    })
  })
  test('findings are sorted by their ids', () => {
    const rules = ['b', 'a', 'B'].map((rule_id) => ({ ...ruleObject, rule_id, classification: 'ADVISORY' }))
    const advising = parseGuardianPolicy({ ...policyObject, rules })
    expect(applyOutputRules(advising, '5')).toEqual({ ok: true, findings: ['B', 'a', 'b'] })
  })
  test('a GATE refuses whatever stands before it', () => {
    const mixed = policy({ classification: 'ADVISORY' }, { value: 'Sc' })
    expect(applyOutputRules(mixed, '5 $')).toMatchObject({ ok: false, rule_id: 'r1' })
  })
  test('no rules refuse nothing', () => {
    expect(applyOutputRules(policy(), '5 $')).toEqual({ ok: true, findings: [] })
  })
})
