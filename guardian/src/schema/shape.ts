import type { Language } from './pattern/language.js'

/** A scalar that an enum or const can name; numbers are integers in ±(2^53−1). */
export type Scalar = null | boolean | number | string

/** What a schema admits, without JSON Schema's synonyms. `at` is the JSON pointer of its source. */
export type Shape =
  | AnyShape
  | ScalarsShape
  | IntegerShape
  | StringShape
  | ArrayShape
  | ObjectShape
  | UnionShape

/** Every JSON value. Only enumerated values pass through it: it is never counted. */
export type AnyShape = { readonly kind: 'any'; readonly at: string }

/** One of a finite set: const, enum, boolean, null. The empty set is what admits nothing. */
export type ScalarsShape = {
  readonly kind: 'scalars'
  readonly at: string
  readonly scalars: ReadonlySet<Scalar>
}

/** Every multiple of `step` from lowest to highest, both included; infinite where a bound is missing. */
export type IntegerShape = {
  readonly kind: 'integer'
  readonly at: string
  readonly lowest: number
  readonly highest: number
  readonly step: number
  /** False for `type: number`, which also admits fractions and so is never counted. */
  readonly whole: boolean
}

/** Any text of so many code points. Outputs may have one only where a pattern tells which. */
export type StringShape = {
  readonly kind: 'string'
  readonly at: string
  readonly shortest: number
  readonly longest: number
  readonly language: Language | null
}

/** A sequence of so many items, without repetition where `unique`. Beyond `prefix`, all are `items`. */
export type ArrayShape = {
  readonly kind: 'array'
  readonly at: string
  readonly prefix: readonly Shape[]
  readonly items: Shape
  readonly fewest: number
  readonly most: number
  readonly unique: boolean
}

/** A member of an object. `at` is where the object's schema says so, whatever it refers to. */
export type Member = { readonly shape: Shape; readonly required: boolean; readonly at: string }

/** An object of so many members. `others` are those without a name here: null in a closed one. */
export type ObjectShape = {
  readonly kind: 'object'
  readonly at: string
  readonly members: ReadonlyMap<string, Member>
  readonly others: { readonly shape: Shape; readonly at: string } | null
  readonly fewest: number
  readonly most: number
  /** Where the first name is there, so are the others. */
  readonly needs: readonly { readonly name: string; readonly needed: readonly string[] }[]
}

/** One of several shapes, no two of which admit the same value. */
export type UnionShape = {
  readonly kind: 'union'
  readonly at: string
  readonly branches: readonly Shape[]
  /** Without a `type`, a value of every kind is in it: it is never counted. */
  readonly untyped: boolean
}

/** What admits nothing. */
export const nothing = (at: string): ScalarsShape => ({ kind: 'scalars', at, scalars: new Set() })

/** True for the shape that says it admits nothing. Others may turn out to, when they are counted. */
export const isNothing = (shape: Shape): boolean => shape.kind === 'scalars' && shape.scalars.size === 0
