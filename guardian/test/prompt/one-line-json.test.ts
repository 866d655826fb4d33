import { canonicalize, type JsonValue, parseJson } from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLineJson } from '../../src/prompt/one-line-json.js'

const misleading = fc.constantFrom(
  ...['\n', '\r', '\u000b', '\u000c', '\u0085', '\u2028', '\u2029', '\u202e', '\u200b', '\ufeff', '\\', '"'],
  ...['\u00ad', '\u2066', '\u{e0041}', 'END'],
)
const text = fc.array(fc.oneof(misleading, fc.string({ unit: 'grapheme' }))).map((parts) => parts.join(''))
const value = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
})).value

test('a parser reads from the one line the value that was written', () => {
  fc.assert(
    fc.property(value, (written) => {
      expect(canonicalize(parseJson(oneLineJson(written)))).toBe(canonicalize(written))
    }),
  )
})

test('nothing on the line could be taken for the end of a line, or is unseen', () => {
  fc.assert(
    fc.property(value, (written) => {
      expect(oneLineJson(written)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})

test('what is visible stays as it is', () => {
  expect(oneLineJson({ b: 'Ärger, 値段', a: '😀' })).toBe('{"a":"😀","b":"Ärger, 値段"}')
})
