import { isJsonObject, type JsonValue } from '@parley/protocol'
import { valuesAlong } from './json-pointer.js'
import { ownMember, type Place } from './site.js'

/** The schema that a local `$ref` names: `#`, or `#` and a pointer (RFC 6901 §6). Undefined for any other. */
export const resolveReference = (root: JsonValue, reference: JsonValue): Place | undefined => {
  const at = typeof reference === 'string' ? pointerOf(reference) : undefined
  const along = at === undefined ? undefined : valuesAlong(root, at)
  const schema = along?.at(-1)
  if (at === undefined || schema === undefined) return undefined
  // An embedded document has pointers of its own: what is meant across its border is not defined.
  return along?.slice(1, -1).some(isDocument) === true ? undefined : { schema, at }
}

const pointerOf = (reference: string): string | undefined => {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  try {
    return decodeURIComponent(reference.slice(1))
  } catch {
    return undefined
  }
}

const isDocument = (value: JsonValue): boolean =>
  isJsonObject(value) && typeof ownMember(value, '$id') === 'string'
