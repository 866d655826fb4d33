// What counts as one numeral: a numeric character of any script, a numeral of the Han script (letters to Unicode), or
// an English word. No word or connector continues another in two ways, so that matching stays linear.
const HAN = '〇零一二三四五六七八九十百千万萬亿億兆壹贰貳叁參肆伍陆陸柒捌玖拾佰仟两兩廿卅'
const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million ' +
  'billion trillion'
const NUMERAL = `(?:\\p{N}|[${HAN}]|${WORDS.replaceAll(' ', '|')})`

const NUMBER = new RegExp(`^(?:minus|plus)?${NUMERAL}(?:(?:and|point|e)?${NUMERAL})*(?:k|m|bn)?$`, 'u')
const RADIX = /^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/

/**
 * Whether a whole text spells a number. Case, spaces, punctuation, signs, marks and invisible characters don't count:
 * `1 000,50 €`, `+4-9`, `٣٤`, `½`, `1e5`, `120k`, `0x1F`, `三百`, `FORTY_TWO` are numbers; `TIER 1` is none.
 */
export const spellsNumber = (text: string): boolean =>
  [text, text.normalize('NFKC')].some((spelled) => {
    const bare = spelled.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
    return NUMBER.test(bare) || RADIX.test(bare)
  })
