import type { JsonObject, JsonValue } from '@parley/protocol'
import type { SchemaCode } from './schema-code.js'
import type { Shape } from './shape.js'

/** One schema in its place, as the compilers of the forms see it. */
export type SchemaSite = {
  readonly at: string
  /** A keyword's value; inherited names of JavaScript objects are no keywords. */
  readonly read: (keyword: string) => JsonValue | undefined
  /** Notes why the schema is refused; the shape that it returns admits nothing. */
  readonly refuse: (code: SchemaCode, ...path: readonly (string | number)[]) => Shape
  /** Compiles a schema below this one. */
  readonly compile: (schema: JsonValue, ...path: readonly (string | number)[]) => Shape
}

/** An own member of a JSON object. */
export const ownMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
