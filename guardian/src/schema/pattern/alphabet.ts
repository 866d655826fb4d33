import type { CharRanges } from './char-ranges.js'

/** Characters that no class of the patterns tells apart. */
export type Letter = {
  /** How many characters. */
  readonly size: bigint
  /** The longest of them in canonical JSON, in UTF-8 bytes. */
  readonly bytes: number
  /** Indices of the classes that they are in. */
  readonly classes: ReadonlySet<number>
}

/** All characters of some classes, in letters. `from` are the first code points of ranges, `letter` whose each is. */
export type Alphabet = {
  readonly from: readonly number[]
  readonly letter: readonly number[]
  readonly letters: readonly Letter[]
}

/** Splits classes into letters. */
export const alphabetOf = (classes: readonly CharRanges[]): Alphabet => {
  const edges = classes.flatMap((ranges) => ranges.flatMap(([first, last]) => [first, last + 1]))
  const from = [...new Set([0, ...edges])].sort((a, b) => a - b)
  const known = new Map<string, number>()
  const letters: Letter[] = []
  const letter = from.map((first, index) => {
    const next = from[index + 1] ?? 0x110000
    const within = classes.flatMap((ranges, at) => (ranges.some(holds(first)) ? [at] : []))
    if (within.length === 0) return -1
    const key = within.join(' ')
    const at = known.get(key) ?? letters.push({ size: 0n, bytes: 0, classes: new Set(within) }) - 1
    known.set(key, at)
    const { size, bytes, classes: same } = letters[at] ?? { size: 0n, bytes: 0, classes: new Set<number>() }
    letters[at] = {
      size: size + BigInt(next - first),
      bytes: Math.max(bytes, longest(first, next - 1)),
      classes: same,
    }
    return at
  })
  return { from, letter, letters }
}

/** The letter of a character, or -1 where it is in no class. */
export const letterOf = ({ from, letter }: Alphabet, point: number): number => {
  let low = 0
  let high = from.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((from[middle] ?? 0) <= point) low = middle
    else high = middle
  }
  return letter[low] ?? -1
}

const holds =
  (point: number) =>
  ([first, last]: CharRanges[number]): boolean =>
    first <= point && point <= last

/** The most bytes that one character of a range takes. Beyond ASCII, later ones never take fewer. */
const longest = (first: number, last: number): number => {
  let bytes = utf8Bytes(last)
  for (let point = first; point <= Math.min(last, 0x5c); point++)
    bytes = Math.max(bytes, JSON.stringify(String.fromCodePoint(point)).length - 2)
  return bytes
}

const utf8Bytes = (point: number): number => {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}
