import { canonicalize, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { TEXTS } from './arbitrary-pattern.js'

const INTEGERS = Array.from({ length: 16 }, (_, i) => i - 5)
const MOST = 2500

/**
 * Values of which a schema may admit some, and every value that it admits: without any logic, what its parts name,
 * in all combinations. Null where these are too many. Of which are admitted, an oracle decides.
 */
export const universeOf = (root: JsonObject): readonly JsonValue[] | null => {
  try {
    return new Universe(root).of([root])
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

class Universe {
  readonly #root: JsonObject

  constructor(root: JsonObject) {
    this.#root = root
  }

  of(schemas: readonly JsonValue[]): readonly JsonValue[] {
    const all = this.#reached(schemas)
    const found: JsonValue[] = [null, false, true]
    for (const schema of all) {
      if ('const' in schema) found.push(schema['const'] ?? null)
      found.push(...list(schema['enum']))
    }
    if (all.some((schema) => 'minimum' in schema || 'exclusiveMinimum' in schema)) found.push(...INTEGERS)
    if (all.some((schema) => 'pattern' in schema)) found.push(...TEXTS)
    if (all.some((schema) => 'items' in schema || 'prefixItems' in schema)) found.push(...this.#arrays(all))
    if (all.some((schema) => 'properties' in schema)) found.push(...this.#objects(all))
    if (found.length > MOST) throw new RangeError()
    return [...new Map(found.map((value) => [canonicalize(value), value])).values()]
  }

  /** All schemas that may have a say of the same value. */
  #reached(schemas: readonly JsonValue[]): readonly JsonObject[] {
    const reached = new Set(schemas.filter(isJsonObject))
    for (const schema of reached)
      for (const part of [
        ...list(schema['allOf']),
        ...list(schema['anyOf']),
        ...list(schema['oneOf']),
        ...this.#target(schema),
      ])
        if (isJsonObject(part)) reached.add(part)
    return [...reached]
  }

  #target({ $ref }: JsonObject): readonly JsonValue[] {
    const definitions = this.#root['$defs']
    if (typeof $ref !== 'string' || definitions === undefined || !isJsonObject(definitions)) return []
    return [definitions[$ref.slice(-1)] ?? false]
  }

  #arrays(all: readonly JsonObject[]): readonly JsonValue[] {
    const prefixes = all.map(({ prefixItems, items }) => list(prefixItems ?? items))
    const rests = all.map(({ items, additionalItems }) =>
      items !== undefined && isJsonArray(items) ? additionalItems : items,
    )
    const lengths = all.map(({ maxItems }) => (typeof maxItems === 'number' ? maxItems : 0))
    const longest = Math.max(...lengths, ...prefixes.map((prefix) => prefix.length))
    let ofLength: readonly (readonly JsonValue[])[] = [[]]
    const found: (readonly JsonValue[])[] = [[]]
    for (let at = 0; at < longest; at++) {
      const items = this.of(all.flatMap((_, i) => prefixes[i]?.[at] ?? rests[i] ?? []))
      if (ofLength.length * items.length > MOST) throw new RangeError()
      ofLength = ofLength.flatMap((head) => items.map((item) => [...head, item]))
      found.push(...ofLength)
    }
    return found
  }

  #objects(all: readonly JsonObject[]): readonly JsonValue[] {
    const properties = all.map((schema) => schema['properties'] ?? {}).filter(isJsonObject)
    let found: readonly JsonObject[] = [{}]
    for (const name of new Set(properties.flatMap((named) => Object.keys(named)))) {
      const values = this.of(properties.map((named) => named[name] ?? false))
      if (found.length * values.length > MOST) throw new RangeError()
      found = [...found, ...found.flatMap((object) => values.map((value) => ({ ...object, [name]: value })))]
    }
    return found
  }
}

const list = (value: JsonValue | undefined): readonly JsonValue[] =>
  value !== undefined && isJsonArray(value) ? value : []
