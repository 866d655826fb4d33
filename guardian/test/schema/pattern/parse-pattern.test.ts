import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileLanguage, isInLanguage } from '../../../src/schema/pattern/language.js'
import { parsePattern } from '../../../src/schema/pattern/parse-pattern.js'
import { Work } from '../../../src/schema/work.js'

test.each([
  ['is empty', ''],
  ['has no anchors', 'a'],
  ['has no end', '^a'],
  ['has no beginning', 'a$'],
  ['has an alternative without anchors', '^a|b$'],
  ['has an anchor within', '^a^b$'],
  ['has an anchor in a group', '^(a$)$'],
  ['goes on behind its end', '^a$b'],
  ['has an open group', '^(a$'],
  ['has a group that was not opened', '^a)$'],
  ['has an open class', '^[a$'],
  ['has an empty class', '^[]$'],
  ['has a class of everything', '^[^]$'],
  ['has a range backwards', '^[b-a]$'],
  ['has a range to a set', '^[a-\\d]$'],
  ['has a range from a set', '^[\\d-z]$'],
  ['repeats nothing', '^*$'],
  ['repeats twice', '^a**$'],
  ['repeats lazily', '^a+?$'],
  ['repeats backwards', '^a{2,1}$'],
  ['has an open brace', '^a{2$'],
  ['has a brace without a number', '^a{,2}$'],
  ['has a bare brace', '^}$'],
  ['has a bare bracket', '^]$'],
  ['looks ahead', '^(?=a)a$'],
  ['looks back', '^(?<=a)a$'],
  ['names a group', '^(?<n>a)$'],
  ['refers back', '^(a)\\1$'],
  ['has a word border', '^\\ba$'],
  ['has a property', '^\\p{L}$'],
  ['has a space class, which dialects read differently', '^\\s$'],
  ['escapes by code', '^\\x41$'],
  ['escapes by code point', '^\\u0041$'],
  ['escapes a letter', '^\\a$'],
  ['escapes a hyphen outside a class', '^\\-$'],
  ['ends in a backslash', '^a\\$'],
  ['has a lone surrogate', '^\ud800$'],
  ['nests 65 groups', `^${'('.repeat(65)}${')'.repeat(65)}$`],
])('a pattern that %s is not read', (_, pattern) => {
  expect(parsePattern(pattern)).toBeNull()
})

test.each(['^$', '^a$|^b$', '^(a|)$', '^(?:ab)+$', '^[-a]$', '^[a-]$', '^[[]$', '^a/b$', '^\\/\\.\\$$'])(
  'a pattern is read: %s',
  (pattern) => {
    expect(parsePattern(pattern)).not.toBeNull()
  },
)

test('what is read is what RegExp accepts, and means the same', () => {
  const token = fc.constantFrom(
    '^',
    '$',
    'a',
    'b',
    '-',
    '|',
    '(',
    ')',
    '(?:',
    '[',
    ']',
    '[^',
    '\\d',
    '\\-',
    '.',
    '*',
    '?',
    '{1,2}',
    '1',
  )
  const pattern = fc.array(token, { maxLength: 8 }).map((tokens) => `^${tokens.join('')}$`)
  fc.assert(
    fc.property(
      pattern,
      fc.array(fc.constantFrom('a', 'b', '1', '-', '('), { maxLength: 3 }),
      (text, parts) => {
        const parsed = parsePattern(text)
        if (parsed === null) return
        const matcher = new RegExp(text, 'u')
        const language = compileLanguage([parsed], new Work())
        const candidate = parts.join('')
        expect(language !== null && isInLanguage(language, candidate)).toBe(matcher.test(candidate))
      },
    ),
    { numRuns: 3000 },
  )
})
