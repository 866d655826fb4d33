/** Code points, as disjoint ranges in order with both ends included. */
export type CharRanges = readonly (readonly [first: number, last: number])[]

/** Every code point of a well-formed text: lone surrogates are no characters of JSON. */
const ALL: CharRanges = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
]

/** Ranges in order, joined where they touch or overlap. */
export const joinRanges = (ranges: CharRanges): CharRanges => {
  const joined: [number, number][] = []
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const previous = joined.at(-1)
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else joined.push([first, last])
  }
  return joined
}

/** The code points that are in both. */
export const commonRanges = (one: CharRanges, other: CharRanges): CharRanges =>
  joinRanges(
    one.flatMap(([first, last]) =>
      other
        .map(([from, to]) => [Math.max(first, from), Math.min(last, to)] as const)
        .filter(([from, to]) => from <= to),
    ),
  )

/** All other code points. */
export const otherRanges = (ranges: CharRanges): CharRanges => {
  const gaps: [number, number][] = []
  let from = 0
  for (const [first, last] of joinRanges(ranges)) {
    if (first > from) gaps.push([from, first - 1])
    from = last + 1
  }
  return commonRanges([...gaps, [from, 0x10ffff]], ALL)
}

/** A class without what no text has. */
export const withoutSurrogates = (ranges: CharRanges): CharRanges => commonRanges(joinRanges(ranges), ALL)
