import { canonicalize, type JsonObject, type JsonValue } from '@parley/protocol'

type Read = {
  readonly const?: JsonValue
  readonly enum?: readonly JsonValue[]
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly items?: JsonObject
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonObject>>
  readonly required?: readonly string[]
}

/** Every value that a schema admits, by brute force, each once: the oracle for the count. */
export const enumerate = (schema: JsonObject): readonly JsonValue[] => {
  const all = valuesOf(schema)
  return [...new Map(all.map((value) => [canonicalize(value), value])).values()]
}

const valuesOf = (schema: Read): readonly JsonValue[] => {
  if ('const' in schema) return [schema.const ?? null]
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [false, true]
  if (schema.type === 'null') return [null]
  if (schema.type === 'integer') return integers(schema)
  return schema.type === 'array' ? sequences(schema) : objects(schema)
}

const integers = (schema: Read): readonly number[] => {
  const all = Array.from({ length: 41 }, (_, i) => i - 20)
  return all.filter(
    (n) =>
      n >= (schema.minimum ?? n) &&
      n <= (schema.maximum ?? n) &&
      n > (schema.exclusiveMinimum ?? n - 1) &&
      n < (schema.exclusiveMaximum ?? n + 1),
  )
}

const sequences = (schema: Read): readonly (readonly JsonValue[])[] => {
  const items = enumerate(schema.items ?? {})
  let ofLength: readonly (readonly JsonValue[])[] = [[]]
  const all: (readonly JsonValue[])[] = []
  for (let length = 0; length <= (schema.maxItems ?? 0); length++) {
    if (length >= (schema.minItems ?? 0)) all.push(...ofLength)
    ofLength = ofLength.flatMap((head) => items.map((item) => [...head, item]))
  }
  return all.filter(
    (value) => schema.uniqueItems !== true || new Set(value.map(canonicalize)).size === value.length,
  )
}

const objects = (schema: Read): readonly JsonValue[] => {
  let all: readonly (readonly (readonly [string, JsonValue])[])[] = [[]]
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const with_ = all.flatMap((head) => enumerate(member).map((value) => [...head, [name, value] as const]))
    all = schema.required?.includes(name) === true ? with_ : [...all, ...with_]
  }
  return all.map((members) => Object.fromEntries(members))
}
