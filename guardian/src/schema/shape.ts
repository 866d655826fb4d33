/** A scalar that an enum or const can name; numbers are integers in ±(2^53−1). */
export type Scalar = null | boolean | number | string

/** What a schema admits, without JSON Schema's synonyms. `at` is the JSON pointer of its source. */
export type Shape = ScalarsShape | IntegerShape | StringShape | ArrayShape | ObjectShape

/** One of a finite set: const, enum, boolean, null. */
export type ScalarsShape = {
  readonly kind: 'scalars'
  readonly at: string
  readonly scalars: ReadonlySet<Scalar>
}

/** Every integer from lowest to highest, both included. */
export type IntegerShape = {
  readonly kind: 'integer'
  readonly at: string
  readonly lowest: number
  readonly highest: number
}

/** Any text of so many code points. Inputs may have them; outputs may not. */
export type StringShape = {
  readonly kind: 'string'
  readonly at: string
  readonly shortest: number
  readonly longest: number
}

/** A sequence of so many items, without repetition where `unique`. */
export type ArrayShape = {
  readonly kind: 'array'
  readonly at: string
  readonly items: Shape
  readonly fewest: number
  readonly most: number
  readonly unique: boolean
}

/** A closed object. */
export type ObjectShape = {
  readonly kind: 'object'
  readonly at: string
  readonly members: ReadonlyMap<string, { readonly shape: Shape; readonly required: boolean }>
}
