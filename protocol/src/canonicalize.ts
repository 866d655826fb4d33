import { isWellFormed, utf8 } from './bytes.js'
import { ProtocolError } from './errors.js'
import { isJsonArray, type JsonObject, type JsonValue } from './json-value.js'

/** Arrays and objects may nest this deep, in everything that is parsed, hashed or signed. */
export const MAX_JSON_DEPTH = 64

const PLAIN_ASCII = /^[ !#-[\]-~]*$/

/**
 * The one JSON text of a value, by which it is hashed and signed.
 * @throws ProtocolError `json_malformed` on what JSON cannot say: a lone surrogate, NaN or an infinity,
 * undefined, a function, a hole in an array, an instance of a class.
 * @throws ProtocolError `json_too_deep` below 64 levels, which also ends a cycle.
 * @see RFC 8785
 */
export const canonicalize = (value: JsonValue): string => valueText(value, 0)

/** The UTF-8 bytes of {@link canonicalize}. */
export const canonicalBytes = (value: JsonValue): Uint8Array => utf8(canonicalize(value))

const valueText = (value: JsonValue, depth: number): string => {
  switch (typeof value) {
    case 'string':
      return stringText(value)
    case 'number':
      return numberText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth === MAX_JSON_DEPTH)
        throw new ProtocolError('json_too_deep', `nested deeper than ${MAX_JSON_DEPTH}`)
      return isJsonArray(value) ? arrayText(value, depth + 1) : objectText(value, depth + 1)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new ProtocolError('json_malformed', 'a value has no JSON form')
  }
}

const stringText = (text: string): string => {
  if (PLAIN_ASCII.test(text)) return `"${text}"`
  if (!isWellFormed(text)) throw new ProtocolError('json_malformed', 'a string has a lone surrogate')
  // RFC 8785 §3.2.2.2 escapes exactly what ECMAScript escapes.
  return JSON.stringify(text)
}

// A few hundred names are all that our objects have. What is full stays full: no stranger's names push ours out.
const MAX_REMEMBERED = 512
const MAX_REMEMBERED_LENGTH = 64
const remembered = new Map<string, string>()

const memberText = (name: string): string => {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const text = `${stringText(name)}:`
  if (remembered.size < MAX_REMEMBERED && name.length <= MAX_REMEMBERED_LENGTH) remembered.set(name, text)
  return text
}

const numberText = (number: number): string => {
  if (!Number.isFinite(number)) throw new ProtocolError('json_malformed', 'a number is not finite')
  // RFC 8785 §3.2.2.3 is ECMAScript's Number::toString, where -0 prints as 0.
  return String(number)
}

const arrayText = (array: readonly JsonValue[], depth: number): string => {
  let text = '['
  // By index: a hole must be met and refused, forEach would skip it.
  for (let i = 0; i < array.length; i++) {
    const item: JsonValue | undefined = array[i]
    if (item === undefined) throw new ProtocolError('json_malformed', 'an array has an undefined item')
    text += i === 0 ? valueText(item, depth) : ',' + valueText(item, depth)
  }
  return text + ']'
}

const objectText = (object: JsonObject, depth: number): string => {
  requirePlain(object)
  let text = '{'
  for (const name of sortedNames(object)) {
    const value = object[name]
    if (value === undefined) throw new ProtocolError('json_malformed', 'an object has an undefined member')
    if (text.length > 1) text += ','
    text += memberText(name) + valueText(value, depth)
  }
  return text + '}'
}

/** Most objects were parsed from canonical text, so their members stand in order already. */
const sortedNames = (object: JsonObject): string[] => {
  const names = Object.keys(object)
  // Both compare UTF-16 code units, as RFC 8785 §3.2.3 asks for.
  return names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name) ? names : names.sort()
}

/** A Date, a Map or bytes would otherwise pass as an object without members. */
const requirePlain = (object: JsonObject): void => {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null)
    throw new ProtocolError('json_malformed', 'an instance of a class has no JSON form')
}
