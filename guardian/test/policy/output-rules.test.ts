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
    expect(applyOutputRules(digits, output)).toEqual({ ok: true, advisories: [] })
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
      advisories: [
        { code: 'output_rule_matched', rule_id: 'r0' },
        { code: 'output_rule_matched', rule_id: 'r1' },
      ],
    })
  })
  test('a GATE refuses whatever stands before it', () => {
    const mixed = policy({ classification: 'ADVISORY' }, { value: 'Sc' })
    expect(applyOutputRules(mixed, '5 $')).toMatchObject({ ok: false, rule_id: 'r1' })
  })
  test('no rules refuse nothing', () => {
    expect(applyOutputRules(policy(), '5 $')).toEqual({ ok: true, advisories: [] })
  })
})
