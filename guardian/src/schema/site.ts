import type { JsonObject, JsonValue } from '@parley/protocol'
import type { FirstRefusal } from '../first-refusal.js'
import { pointerTo } from './json-pointer.js'
import type { SchemaCode } from './schema-code.js'
import type { Shape } from './shape.js'
import type { Work } from './work.js'

type Token = string | number

/** A schema and where it stands. */
export type Place = { readonly schema: JsonValue; readonly at: string }

/** One schema object in its place, as the compilers of the forms see it. */
export type SchemaSite = {
  readonly at: string
  /** A keyword's value; inherited names of JavaScript objects are no keywords. */
  readonly read: (keyword: string) => JsonValue | undefined
  /** Notes why the schema is refused. */
  readonly refuse: (code: SchemaCode, ...path: readonly Token[]) => void
  /** What stands at a keyword or below it. */
  readonly place: (schema: JsonValue, ...path: readonly Token[]) => Place
}

/** Schemas that all hold of the same value. */
export type Conjuncts = {
  readonly at: string
  readonly sites: readonly SchemaSite[]
  /** Compiles schemas that all hold of one value below this one. */
  readonly compile: (places: readonly Place[], at: string) => Shape
  readonly work: Work
}

/** An own member of a JSON object. */
export const ownMember = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The site of a schema object. */
export const siteOf = (schema: JsonObject, at: string, refusals: FirstRefusal<SchemaCode>): SchemaSite => ({
  at,
  read: (keyword) => ownMember(schema, keyword),
  refuse: (code, ...path) => {
    refusals.refuse(code, pointerTo(at, ...path))
  },
  place: (inner, ...path) => ({ schema: inner, at: pointerTo(at, ...path) }),
})
