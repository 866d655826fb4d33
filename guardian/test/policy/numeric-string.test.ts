import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { spellsNumber } from '../../src/policy/numeric-string.js'

describe('a text spells a number', () => {
  test.each([
    ['in digits', '42'],
    ['in one digit', '7'],
    ['with a sign', '-42'],
    ['with a minus sign', '−42'],
    ['with thousands', '1,000'],
    ['with spaces', ' 1 0 0 '],
    ['with apostrophes', "1'000.50"],
    ['with underscores', '1_000'],
    ['with dots between the digits', '4.2.1'],
    ['with an invisible character', '4\u200b2'],
    ['with a combining mark', '4\u03022'],
    ['with a currency sign', '1 000,50 €'],
    ['with a percent sign', '75 %'],
    ['in brackets', '(12)'],
    ['as a fraction', '3/4'],
    ['as one fraction character', '½'],
    ['in full width', '４２'],
    ['in superscript', '²'],
    ['in circles', '①②'],
    ['in Arabic-Indic digits', '٣٤'],
    ['in Devanagari digits', '४२'],
    ['in mathematical digits', '𝟜𝟚'],
    ['in Roman numeral characters', 'Ⅷ'],
    ['in Han numerals', '三百'],
    ['in Han numerals of bookkeeping', '壹佰'],
    ['with Han and Latin digits', '3万'],
    ['with an exponent', '1e5'],
    ['with an exponent and signs', '1.5E-3'],
    ['with an exponent in full width', '１ｅ５'],
    ['in thousands', '120k'],
    ['in millions', '3.5 M'],
    ['in billions', '2 bn'],
    ['in hexadecimal', '0x1F'],
    ['in octal', '0o17'],
    ['in binary', '0b101'],
    ['in one word', 'seven'],
    ['in a long word', 'seventeen'],
    ['in capitals', 'FORTY'],
    ['in words with an underscore', 'FORTY_TWO'],
    ['in words with nothing between', 'fortytwo'],
    ['in words with and', 'one hundred and five'],
    ['in words with a point', 'three point one four'],
    ['in words with a sign', 'minus four'],
    ['in digits and words', '5 million'],
  ])('%s', (_, text) => {
    expect(spellsNumber(text)).toBe(true)
  })
})

describe('a text spells no number', () => {
  test.each([
    ['when it is empty', ''],
    ['when it is blank', ' '],
    ['when it has only signs', '-+.%'],
    ['when it has only a currency sign', '€'],
    ['in letters', 'YES'],
    ['when a digit stands among letters', 'TIER1'],
    ['when a digit stands before a word', '1 month'],
    ['when a number is part of it', 'about 40'],
    ['when a number word is part of it', 'someone'],
    ['when only a connector is there', 'and'],
    ['when only a sign word is there', 'minus'],
    ['when only a point is there', 'point'],
    ['when only a suffix is there', 'k'],
    ['when a suffix stands first', 'k5'],
    ['when a suffix stands in the middle', '5k5'],
    ['when an exponent has no digits', '1e'],
    ['when a Latin text looks like a Roman numeral', 'MIX'],
    ['when hexadecimal has no prefix', '1F'],
    ['when hexadecimal has no digits', '0x'],
    ['when octal has another digit', '0o8'],
    ['when binary has another digit', '0b2x'],
    ['in a Han word', '三月'],
    ['in another language', 'siebzehn'],
  ])('%s', (_, text) => {
    expect(spellsNumber(text)).toBe(false)
  })
})

test('every safe integer is one, however it is spaced', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom(' ', '.', ',', '-', '\u00a0', '_'), (number, gap) => {
      expect(spellsNumber(Array.from(String(number)).join(gap))).toBe(true)
    }),
  )
})

test('a text of many words ends in time that grows with its length', () => {
  expect(spellsNumber('seven'.repeat(50_000))).toBe(true)
  expect(spellsNumber(`${'seven'.repeat(50_000)}x`)).toBe(false)
  expect(spellsNumber(`${'1e'.repeat(100_000)}x`)).toBe(false)
  expect(spellsNumber(`${'0'.repeat(200_000)}x`)).toBe(false)
})
