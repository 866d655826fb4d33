import { isJsonArray, isJsonObject, type JsonValue } from '@parley/protocol'

/** The pointer of a member or item below `base` (RFC 6901 §3). */
export const pointerTo = (base: string, ...tokens: readonly (string | number)[]): string =>
  base + tokens.map((token) => '/' + String(token).replaceAll('~', '~0').replaceAll('/', '~1')).join('')

/** The value at a pointer, or undefined where there is none (RFC 6901 §4). */
export const valueAt = (root: JsonValue, pointer: string): JsonValue | undefined =>
  valuesAlong(root, pointer)?.at(-1)

/** The values from the root to the one at a pointer, both included, or undefined where there is none. */
export const valuesAlong = (root: JsonValue, pointer: string): readonly JsonValue[] | undefined => {
  const values = [root]
  let value: JsonValue | undefined = root
  for (const token of pointer.split('/').slice(1)) {
    value = step(value, token.replaceAll('~1', '/').replaceAll('~0', '~'))
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

const step = (value: JsonValue, token: string): JsonValue | undefined => {
  if (isJsonArray(value)) return /^(?:0|[1-9]\d{0,8})$/.test(token) ? value[Number(token)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
}
