import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findsPattern, readTextPattern } from '../../src/policy/text-pattern.js'

const finds = (source: string, text: string) => {
  const pattern = readTextPattern(source)
  if (pattern === null) throw new Error('no pattern')
  return findsPattern(pattern, text)
}

describe('a pattern is found', () => {
  test.each([
    ['as the whole text', 'abc', 'abc'],
    ['at the start', 'ab', 'abc'],
    ['at the end', 'bc', 'abc'],
    ['in the middle', '[0-9]{3}', 'no 123!'],
    ['after a false start', 'aab', 'aaab'],
    ['where it overlaps itself', 'abab', 'ababab'],
    ['with what is optional', 'ab?c', 'abc'],
    ['without what is optional', 'ab?c', 'ac'],
    ['without several that are optional', 'a[0-9]{0,3}b', 'ab'],
    ['with the fewest', 'xa{2,4}x', 'xaax'],
    ['with the most', 'xa{2,4}x', 'xaaaax'],
    ['by whole characters', 'a.b', 'a😀b'],
    ['in full width, as NFKC reads it', 'ab', 'ａｂ'],
    ['in what NFKC would hide', 'ﬁ', 'ﬁ'],
  ])('%s', (_, source, text) => {
    expect(finds(source, text)).toBe(true)
  })
})

describe('a pattern is not found', () => {
  test.each([
    ['in the empty text', 'a', ''],
    ['in half of it', 'abc', 'ab'],
    ['out of order', 'ab', 'ba'],
    ['with a gap', 'ab', 'a b'],
    ['in another case', 'ab', 'AB'],
    ['with one too few', 'xa{2,4}x', 'xax'],
    ['with one too many', 'xa{2,4}x', 'xaaaaax'],
    ['where a class excludes', 'a[^b]c', 'abc'],
  ])('%s', (_, source, text) => {
    expect(finds(source, text)).toBe(false)
  })
})

describe('a pattern is refused', () => {
  test.each([
    ['when it is empty', ''],
    ['when it could match nothing', 'a?'],
    ['when it could match nothing, written otherwise', '(?:a{0,3}|b)c*'],
    ['with a start', '^a'],
    ['with an end', 'a$'],
    ['with anchors in its alternatives', 'a$|^b'],
    ['when it closes a group that it did not open', 'a)|(?:b'],
    ['when it leaves a group open', '(a'],
    ['with bounds in the wrong order', 'a{3,2}'],
    ['with a bound on nothing', '{2}'],
    ['with a lazy bound', 'a{1,2}?b'],
    ['with an empty class', '[]'],
    ['with a range in the wrong order', '[z-a]'],
    ['with look-ahead', 'a(?=b)'],
    ['with a back reference', '(a)\\1'],
    ['with a word border', '\\bab'],
    ['with a lone surrogate', '\ud83d'],
    ['when it takes too many states', '(?:[0-9]{3}){100}'],
  ])('%s', (_, source) => {
    expect(readTextPattern(source)).toBeNull()
  })
})

test('a pattern is found where the same regular expression is', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\.', '(?:ab|b)')
  const count = fc.constantFrom('', '?', '{2}', '{1,2}', '{0,2}', '*', '+')
  const item = fc.tuple(atom, count).map(([what, often]) => what + often)
  const source = fc.array(item, { minLength: 1, maxLength: 5 }).map((items) => items.join(''))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(source, text, (written, read) => {
      const pattern = readTextPattern(written)
      const expression = new RegExp(written, 'u')
      // What the empty text has is refused.
      if (pattern === null) expect(expression.test('')).toBe(true)
      else expect(findsPattern(pattern, read)).toBe(expression.test(read))
    }),
    { numRuns: 2000 },
  )
})

test('a pattern that a backtracking matcher would drown in ends', () => {
  expect(finds('(?:a+)+b', 'a'.repeat(20_000))).toBe(false)
  expect(finds(`${'a?'.repeat(20)}${'a'.repeat(20)}b`, 'a'.repeat(5000))).toBe(false)
})
