import fc from 'fast-check'

/** A pattern without anchors, and the length of its longest text. */
type Part = { readonly text: string; readonly longest: number }

const letter = fc.constantFrom<Part>(
  { text: 'a', longest: 1 },
  { text: 'b', longest: 1 },
  { text: '[ab]', longest: 1 },
  { text: '(?:)', longest: 0 },
)
const times = fc.constantFrom<readonly [string, number]>(
  ['?', 1],
  ['{2}', 2],
  ['{0,2}', 2],
  ['{1,3}', 3],
  ['*', Infinity],
  ['+', Infinity],
  ['{1,}', Infinity],
)

const part: fc.Arbitrary<Part> = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'pattern' },
    letter,
    fc.array(tie('part'), { maxLength: 3 }).map((parts) => ({
      text: parts.map(({ text }) => text).join(''),
      longest: parts.reduce((sum, { longest }) => sum + longest, 0),
    })),
    fc.array(tie('part'), { minLength: 2, maxLength: 3 }).map((parts) => ({
      text: `(${parts.map(({ text }) => text).join('|')})`,
      longest: Math.max(...parts.map(({ longest }) => longest)),
    })),
    fc.tuple(tie('part'), times).map(([{ text, longest }, [suffix, most]]) => ({
      text: `(?:${text})${suffix}`,
      longest: longest === 0 ? 0 : longest * most,
    })),
  ),
})).part

/** Anchored patterns over the letters a and b, often ambiguous. */
export const arbitraryPattern: fc.Arbitrary<Part> = part.map(({ text, longest }) => ({
  text: `^(?:${text})$`,
  longest,
}))

/** Texts that such patterns are asked about. */
export const LONGEST_TEXT = 4

/** Every text over a and b that is no longer than that. */
export const TEXTS: readonly string[] = Array.from({ length: LONGEST_TEXT }).reduce<readonly string[]>(
  (texts) => ['', ...texts.flatMap((text) => [`a${text}`, `b${text}`])],
  [''],
)
