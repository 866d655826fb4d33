import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileLanguage, isInLanguage } from '../../../src/schema/pattern/language.js'
import { measureTexts } from '../../../src/schema/pattern/measure-texts.js'
import { parsePattern } from '../../../src/schema/pattern/parse-pattern.js'
import { Work } from '../../../src/schema/work.js'
import { arbitraryPattern, LONGEST_TEXT, TEXTS } from '../arbitrary-pattern.js'

const languageOf = (...patterns: readonly string[]) => {
  const parsed = patterns.map((pattern) => parsePattern(pattern)).filter((pattern) => pattern !== null)
  expect(parsed).toHaveLength(patterns.length)
  const language = compileLanguage(parsed, new Work())
  if (language === null) throw new Error('too complex')
  return language
}
const measure = (pattern: string, shortest = 0, longest = Infinity) =>
  measureTexts(languageOf(pattern), shortest, longest, new Work())

describe('a language', () => {
  test('has the texts that RegExp matches, each counted once however ambiguous the pattern', () => {
    fc.assert(
      fc.property(arbitraryPattern, fc.nat(2), ({ text }, shortest) => {
        const matched = TEXTS.filter((candidate) => new RegExp(text, 'u').test(candidate))
        const language = languageOf(text)
        expect(TEXTS.filter((candidate) => isInLanguage(language, candidate))).toEqual(matched)
        const long = matched.filter(({ length }) => length >= shortest)
        expect(measure(text, shortest, LONGEST_TEXT)).toEqual({
          ok: true,
          texts: BigInt(long.length),
          bytes: Math.max(-1, ...long.map(({ length }) => length + 2)),
        })
      }),
      { numRuns: 1000 },
    )
  })

  test('of two patterns has the texts that match both', () => {
    fc.assert(
      fc.property(arbitraryPattern, arbitraryPattern, (one, other) => {
        const both = languageOf(one.text, other.text)
        for (const text of TEXTS)
          expect(isInLanguage(both, text)).toBe(
            [one, other].every((pattern) => new RegExp(pattern.text, 'u').test(text)),
          )
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    '^[^a-y\\d]$',
    '^.$',
    '^[\\w-]$',
    '^\\W$',
    '^[a-cx-z_é€😀]$',
    '^[+--]$',
    '^[\\]\\\\^-]$',
    '^\\D$',
    '^[\\t\\n\\-]$',
  ])('of one class, %s, has the characters that RegExp matches, and counts all of Unicode', (pattern) => {
    const language = languageOf(pattern)
    const matcher = new RegExp(pattern, 'u')
    let texts = 0n
    let bytes = -1
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point)
      // A lone surrogate is no character of a JSON text.
      if (point >= 0xd800 && point <= 0xdfff) continue
      if (!matcher.test(character)) continue
      texts += 1n
      if (point < 0x3000 || point > 0xffff)
        bytes = Math.max(bytes, new TextEncoder().encode(JSON.stringify(character)).length)
    }
    expect(measureTexts(language, 0, Infinity, new Work())).toEqual({ ok: true, texts, bytes })
    for (const character of ['a', 'é', '€', '😀', '5', '-', '\n', '\u2028', '', 'aa'])
      expect(isInLanguage(language, character)).toBe(matcher.test(character))
  })

  test('that no length ends is unbounded, and bounded with one', () => {
    expect(measure('^(a|ab)*$')).toEqual({ ok: false, code: 'value_unbounded' })
    expect(measure('^a*$', 2, 5)).toEqual({ ok: true, texts: 4n, bytes: 7 })
  })

  test('whose loop leads nowhere is not endless', () => {
    expect(measure('^(a|b*[^\\d\\D])$')).toEqual({ ok: true, texts: 1n, bytes: 3 })
  })

  test('of more texts than are counted is cut off at what is too many', () => {
    expect(measure('^.{0,1000}$')).toMatchObject({ ok: true, texts: 1n << 4096n })
  })

  test.each([
    '^(a|b)*a(a|b){20}$',
    '^((a{99}){99}){99}$',
    `^(${'a?'.repeat(50)}){50}$`,
    '^(){999999999999}$',
  ])('that takes too many states is refused: %s', (pattern) => {
    const parsed = parsePattern(pattern)
    expect(parsed).not.toBeNull()
    expect(parsed && compileLanguage([parsed], new Work())).toBeNull()
  })
})
