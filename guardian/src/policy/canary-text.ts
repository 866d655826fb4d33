/**
 * What a text says whatever its case, spaces, punctuation, marks and look-alike forms: only letters and numerals are
 * left, in one case. Lower before upper case, so that every form of a letter ends as the same one.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .normalize('NFC')

/**
 * Every way to read a text that a canary rule knows: as it is, backwards, as base64 or base64url, as hex, each of these
 * backwards, and each of all of these folded.
 */
export const readingsOf = (text: string): readonly string[] => {
  const spelled = bothWays(text)
  const decoded = spelled.flatMap((read) => [...readBase64(read), ...readHex(read)]).flatMap(bothWays)
  return [...spelled, ...decoded].flatMap((read) => [read, foldText(read)])
}

/** Every run of so many characters. */
export function* gramsOf(text: string, length: number): Generator<string> {
  const starts = [...startsOf(text), text.length]
  for (let first = 0; first + length < starts.length; first++)
    yield text.slice(starts[first], starts[first + length])
}

/** Where each code point begins. */
const startsOf = function* (text: string): Generator<number> {
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) yield at
}

const bothWays = (text: string): readonly string[] => [text, Array.from(text).reverse().join('')]

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** What was encoded may begin at any digit of a run: four offsets meet every start. */
const readBase64 = (text: string): readonly string[] => {
  const runs =
    text
      .replace(/\s/gu, '')
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .match(/[A-Za-z0-9+/]+/g) ?? []
  return runs.flatMap((run) => [0, 1, 2, 3].map((from) => decode(run.slice(from), BASE64, 6)))
}

const readHex = (text: string): readonly string[] => {
  const runs =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .match(/[0-9a-f]+/g) ?? []
  return runs.flatMap((run) => [0, 1].map((from) => decode(run.slice(from), '0123456789abcdef', 4)))
}

/** The text of the octets that digits of so many bits stand for; octets that are no UTF-8 read as U+FFFD. */
const decode = (digits: string, alphabet: string, bitsOfDigit: number): string => {
  const octets: number[] = []
  let held = 0
  let bits = 0
  for (const digit of digits) {
    held = ((held << bitsOfDigit) | alphabet.indexOf(digit)) & 0xfff
    bits += bitsOfDigit
    if (bits < 8) continue
    bits -= 8
    octets.push((held >> bits) & 0xff)
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(octets))
}
