import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from '@parley/protocol'
import { valueAt } from '../schema/json-pointer.js'
import { ownMember } from '../schema/site.js'

const DECLARED = 'x-vcav-entropy-bits-upper-bound'
const MOST_BITS = 65_535
const UNIONS = ['oneOf', 'anyOf', 'allOf', 'not']

/**
 * AgentVault's `enum_cardinality_v1` figure in bits, for comparison only: it sums a ceiling for each member,
 * believes declared bounds and ignores optional members. Null where that algorithm gives an error, which its
 * relay records as 0 bits, and where it would never end.
 */
export const agentVaultBits = (schema: JsonValue): number | null =>
  new EnumCardinality(schema).bits(schema, 0)

class EnumCardinality {
  readonly #root: JsonValue
  // A `$ref` to a node that is still being measured finds null: a cycle has no figure. Figures that are
  // kept also stop references from doubling the work at every level.
  readonly #figures = new Map<JsonObject, number | null>()

  constructor(root: JsonValue) {
    this.#root = root
  }

  bits(schema: JsonValue, depth: number): number | null {
    if (!isJsonObject(schema) || depth > MAX_JSON_DEPTH) return null
    const known = this.#figures.get(schema)
    if (known !== undefined) return known
    this.#figures.set(schema, null)
    const figure = this.#measure(schema, depth)
    this.#figures.set(schema, figure)
    return figure
  }

  /** The order of these rules is AgentVault's. */
  #measure(schema: JsonObject, depth: number): number | null {
    if (Object.hasOwn(schema, DECLARED)) return declaredBits(ownMember(schema, DECLARED))
    if (Object.hasOwn(schema, '$ref')) return this.#referenced(ownMember(schema, '$ref'), depth)
    if (Object.hasOwn(schema, 'const')) return 0
    if (UNIONS.some((keyword) => Object.hasOwn(schema, keyword))) return null
    if (Object.hasOwn(schema, 'enum')) return enumBits(ownMember(schema, 'enum'))
    return ownMember(schema, 'type') === 'object' ? this.#objectBits(schema, depth) : null
  }

  #referenced(reference: JsonValue | undefined, depth: number): number | null {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return null
    const target = valueAt(this.#root, reference.slice(1))
    return target === undefined ? null : this.bits(target, depth + 1)
  }

  #objectBits(schema: JsonObject, depth: number): number | null {
    const properties = ownMember(schema, 'properties')
    if (properties === undefined) return 0
    if (!isJsonObject(properties)) return null
    let sum = 0
    for (const property of Object.values(properties)) {
      const bits = this.bits(property, depth + 1)
      if (bits === null) return null
      sum += bits
    }
    return sum <= MOST_BITS ? sum : null
  }
}

const declaredBits = (declared: JsonValue | undefined): number | null =>
  typeof declared === 'number' && Number.isInteger(declared) && declared >= 0
    ? Math.min(declared, MOST_BITS)
    : null

const enumBits = (values: JsonValue | undefined): number | null => {
  if (values === undefined || !isJsonArray(values) || values.length === 0) return null
  return values.every((value) => typeof value === 'string') ? Math.ceil(Math.log2(values.length)) : null
}
