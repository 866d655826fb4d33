/**
 * Compares texts by code point, which CEL asks for; JavaScript's `<` compares UTF-16 units, and puts an emoji
 * before U+FFFD.
 */
export const compareTexts = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  for (let i = 0; i < most; i++) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Moves surrogates behind all other units, where the code points that they stand for belong. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit)
