import { nativeJsonParse } from './brand.js'
import { fromUtf8, isWellFormed } from './bytes.js'
import { canonicalize, MAX_JSON_DEPTH } from './canonicalize.js'
import { ProtocolError } from './errors.js'
import { isJsonArray, type JsonValue } from './json-value.js'

/**
 * Parses one JSON text strictly.
 * @param input UTF-8 bytes, or a text
 * @throws ProtocolError `json_malformed` on a syntax error, trailing data, a byte order mark, bytes that
 * are not UTF-8, a member named twice, a lone surrogate, a number beyond the doubles.
 * @throws ProtocolError `json_too_deep` below 64 levels.
 * @see RFC 8259; RFC 7493 (I-JSON) §2
 */
export const parseJson = (input: Uint8Array | string): JsonValue => {
  const text = textOf(input)
  // Depth first: the walk below recurses.
  const written = countMembers(text)
  const value = parseNative(text)
  // JSON.parse keeps the last of two members of one name; then fewer are found than were written.
  if (countChecked(value) !== written) throw new ProtocolError('json_malformed', 'a member is named twice')
  return value
}

/**
 * Parses a JSON text that must be its own canonical form, so that no byte of it can change unnoticed.
 * @param input UTF-8 bytes, or a text
 * @throws ProtocolError `json_malformed`, `json_too_deep` as {@link parseJson}
 * @throws ProtocolError `json_not_canonical` if the text is not the JCS of its value.
 * @see RFC 8785
 */
export const parseCanonicalJson = (input: Uint8Array | string): JsonValue => {
  const text = textOf(input)
  const value = parseNative(text)
  // Duplicate members, white space, -0 and other spellings all show as a difference.
  if (canonicalize(value) !== text) throw new ProtocolError('json_not_canonical', 'JSON is not canonical')
  return value
}

const textOf = (input: Uint8Array | string): string => {
  if (typeof input === 'string') return input
  try {
    return fromUtf8(input)
  } catch {
    throw new ProtocolError('json_malformed', 'JSON is not UTF-8')
  }
}

const parseNative = (text: string): JsonValue => {
  try {
    return nativeJsonParse(text)
  } catch {
    throw new ProtocolError('json_malformed', `${text.length} characters are not one JSON text`)
  }
}

/** Counts the colons outside strings, that is the members, and holds the depth limit. */
const countMembers = (text: string): number => {
  let members = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') i = endOfString(text, i)
    else if (character === ':') members++
    else if (character === '}' || character === ']') depth--
    else if ((character === '{' || character === '[') && ++depth > MAX_JSON_DEPTH)
      throw new ProtocolError('json_too_deep', `nested deeper than ${MAX_JSON_DEPTH}`)
  }
  return members
}

const endOfString = (text: string, start: number): number => {
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i]
    if (character === '"') return i
    if (character === '\\') i++
  }
  return text.length
}

/** Counts the members of a value, and refuses the values that I-JSON excludes. */
const countChecked = (value: JsonValue): number => {
  if (typeof value === 'string') requireWellFormed(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ProtocolError('json_malformed', 'a number is beyond the doubles')
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (isJsonArray(value)) for (const item of value) members += countChecked(item)
  else
    for (const [name, item] of Object.entries(value)) {
      requireWellFormed(name)
      members += 1 + countChecked(item)
    }
  return members
}

const requireWellFormed = (text: string): void => {
  if (!isWellFormed(text)) throw new ProtocolError('json_malformed', 'a string has a lone surrogate')
}
