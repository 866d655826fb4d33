import { Buffer } from 'node:buffer'
import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseGuardianPolicy } from '../../src/index.js'
import { canaryLength, passesCanaryRules } from '../../src/policy/canary-rules.js'
import { policyObject } from './policy-object.js'
import { free, list, listed, object, outputOf } from './shapes.js'

const canary = (rule_id: string, min_characters: number) =>
  ({ rule_id, type: 'canary_reject', min_characters, classification: 'GATE' }) as const
const policy = parseGuardianPolicy({ ...policyObject, rules: [canary('c', 6)] })
const shape = outputOf(object({ note: free, code: listed('Operation Bluebird') }))

const passes = (note: string, ...inputs: readonly JsonValue[]) =>
  passesCanaryRules({ policy, shape, output: { note }, inputs })

const secret = 'Operation Bluebird'
const reversed = (text: string) => Array.from(text).reverse().join('')
const hex = (text: string) => Buffer.from(text).toString('hex')

describe('an output tells of an input', () => {
  test.each([
    ['when it is the input', secret],
    ['when it holds the input', `say ${secret}!`],
    ['when it holds six characters of it', 'eBluebi'.slice(1)],
    ['in capitals', 'BLUEBIRD'],
    ['with gaps', 'b l u e b i r d'],
    ['with punctuation', 'B.l-u_e/b'.concat('ird')],
    ['with invisible characters', 'Blue\u200bbird'],
    ['with accents', 'Blüebîrd'],
    ['in full width', 'Ｂｌｕｅｂｉｒｄ'],
    ['over the gap between words', 'nBlueb'],
    ['backwards', reversed('Bluebird')],
    ['backwards, in capitals, with gaps', 'D R I B E U L B'],
    ['in base64', Buffer.from('Bluebird').toString('base64')],
    ['in base64 with other text before it', Buffer.from('??Bluebird').toString('base64')],
    ['in base64url', Buffer.from('Bluebird').toString('base64url')],
    ['in base64, in capitals', Buffer.from('BLUEBIRD').toString('base64')],
    ['in base64, backwards', reversed(Buffer.from('Bluebird').toString('base64'))],
    ['backwards in base64', Buffer.from(reversed('Bluebird')).toString('base64')],
    ['in hex', hex('Bluebird')],
    ['in hex after one more digit', `f${hex('Bluebird')}`],
    [
      'in upper-case hex with colons',
      hex('Bluebird')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
    ],
    ['in hex, backwards', reversed(hex('Bluebird'))],
  ])('%s', (_, note) => {
    expect(passes(note, secret, null)).toBe(false)
    expect(passes(note, null, { any: [{ where: secret }] })).toBe(false)
  })

  test.each<[string, string, JsonValue]>([
    ['by a number of it', 'at 1234567 each', { price: 1234567 }],
    ['by a number of it, with separators', '1,234,567', { price: 1234567 }],
    ['by a fraction of it', '1234.5678', { price: 1234.5678 }],
    ['by a name that it chose', 'bluebird', { bluebird: true }],
  ])('%s', (_, note, input) => {
    expect(passes(note, input, null)).toBe(false)
  })

  test.each<[string, JsonValue]>([
    ['letter by letter', Array.from('Bluebird')],
    ['in parts', ['Blue', 'bird']],
    ['in parts that stand backwards', ['drib', 'eulB']],
    ['in parts of its base64', ['Qmx1', 'ZWJp', 'cmQ=']],
  ])('%s, in a list of texts', (_, texts) => {
    const lists = outputOf(list([], free))
    expect(passesCanaryRules({ policy, shape: lists, output: texts, inputs: [secret, null] })).toBe(false)
  })

  test('whatever the input and wherever in it', () => {
    const text = fc.string({ unit: 'binary', minLength: 6, maxLength: 40 })
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('a', '-', ''), (input, from, around) => {
        const characters = Array.from(input)
        const start = from % (characters.length - 5)
        const part = characters.slice(start, start + 6).join('')
        expect(passes(around + part + around, null, { deep: [input] })).toBe(false)
        expect(passes(around + Buffer.from(part).toString('base64'), [input], 1)).toBe(false)
      }),
    )
  })
})

describe('an output tells nothing of an input', () => {
  test.each<[string, string, JsonValue]>([
    ['when it is empty', '', secret],
    ['by five characters of it', 'Blueb', secret],
    ['by its letters in another order', 'drBulebi', secret],
    ['by characters of two texts', 'Bluebird', ['Blue', 'bird']],
    ['by a short number', '12345', { price: 12345 }],
    ['by true, false or null', 'false true null', [true, false, null]],
    ['when there is no text in it', 'Bluebird', []],
    ['by its base64 in one case', 'qmx1zwjpcmq=', secret],
  ])('%s', (_, note, input) => {
    expect(passes(note, input, input)).toBe(true)
  })

  test('by what its schema lists', () => {
    expect(
      passesCanaryRules({ policy, shape, output: { code: secret, note: 'ok' }, inputs: [secret, secret] }),
    ).toBe(true)
  })

  test('to a policy without the rule', () => {
    const without = parseGuardianPolicy({ ...policyObject, rules: [] })
    expect(canaryLength(without)).toBeNull()
    expect(passesCanaryRules({ policy: without, shape, output: { note: secret }, inputs: [secret] })).toBe(
      true,
    )
  })
})

test('of several canary rules the shortest holds', () => {
  const several = parseGuardianPolicy({
    ...policyObject,
    rules: [canary('a', 9), canary('b', 4), canary('c', 7)],
  })
  expect(canaryLength(several)).toBe(4)
  expect(passesCanaryRules({ policy: several, shape, output: { note: 'bird' }, inputs: [secret] })).toBe(
    false,
  )
})
