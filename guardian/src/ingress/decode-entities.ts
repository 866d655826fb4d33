// Those that HTML also reads without their semicolon.
const BARE = 'lt|gt|amp|quot|nbsp|shy'
const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['sol', '/'],
  ['lowbar', '_'],
  ['underbar', '_'],
  ['nbsp', ' '],
  ['tab', '\t'],
  ['newline', '\n'],
  ['shy', ''],
  ['zwj', ''],
  ['zwnj', ''],
  ['nobreak', ''],
])

const REFERENCE = new RegExp(`&(?:#x([0-9a-f]+);?|#([0-9]+);?|(${BARE});?|([a-z]{2,9});)`, 'gi')
const MOST_ROUNDS = 8

/**
 * The text that a reader of HTML would see: numeric references, and the named ones that a tag could be spelled with, with
 * or without their semicolon, also where a reference hides in another. For guards only: nothing is stored in this form.
 */
export const decodeEntities = (text: string): string => {
  let current = text
  // Each round shortens the text or is the last; deeper nesting than this nobody would undo either.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = current.replace(REFERENCE, decodeOne)
    if (next === current) return current
    current = next
  }
  return current
}

const decodeOne = (whole: string, hex?: string, decimal?: string, bare?: string, name?: string): string => {
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
  if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10))
  return NAMED.get((bare ?? name ?? '').toLowerCase()) ?? whole
}

const characterOf = (point: number): string =>
  point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? '\ufffd' : String.fromCodePoint(point)
