import {
  isJsonObject,
  isWellFormed,
  type JsonObject,
  type JsonValue,
  parseJson,
  utf8,
} from '@parley/protocol'

/** Octets of a text without JSON that is still taken as an answer. */
export const MOST_FREE_TEXT = 4096

/**
 * What a worker printed, as an object: its JSON object where there is one, with or without prose after or before it;
 * else the text as `output` where it is short; else nothing. It is an intent: the result filter decides what leaves.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const parseWorkerOutput = (printed: string): JsonObject => {
  const text = printed.trim()
  if (text === '') return {}
  const whole = parse(text)
  const found = whole === undefined ? firstObject(text) : objectOf(whole)
  if (found !== undefined) return found
  return isWellFormed(text) && utf8(text).length <= MOST_FREE_TEXT ? { output: text } : {}
}

/** The first object that stands in the text, up to the brace that closes it: prose may hold braces of its own. */
const firstObject = (text: string): JsonObject | undefined => {
  const start = text.indexOf('{')
  const end = start === -1 ? -1 : closingBrace(text, start)
  const value = end === -1 ? undefined : parse(text.slice(start, end + 1))
  return value === undefined ? undefined : objectOf(value)
}

const closingBrace = (text: string, start: number): number => {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (quoted && character === '\\') at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === '{') depth++
    else if (!quoted && character === '}' && --depth === 0) return at
  }
  return -1
}

const objectOf = (value: JsonValue): JsonObject | undefined => (isJsonObject(value) ? value : undefined)

const parse = (text: string): JsonValue | undefined => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
