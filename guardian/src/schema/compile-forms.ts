import { checkValue } from './check-value.js'
import { compileArray } from './compile-array.js'
import { compileInteger } from './compile-integer.js'
import { compileObject } from './compile-object.js'
import { compileString } from './compile-string.js'
import { readListed, shapeOfValues } from './listed-values.js'
import { readTypes, type TypeName } from './read-types.js'
import { nothing, type ScalarsShape, type Shape } from './shape.js'
import type { Conjuncts } from './site.js'

/**
 * What plain schemas admit together. Each keyword constrains values of one kind only, so the kinds are compiled
 * apart and joined; `const` and `enum` list candidates, of which all else is asked.
 */
export const compileForms = (conjuncts: Conjuncts): Shape => {
  const types = readTypes(conjuncts.sites)
  const forms = joined(conjuncts, types)
  const listed = readListed(conjuncts)
  if (listed === undefined) return forms
  return shapeOfValues(
    listed.filter((value) => checkValue(forms, value).ok),
    conjuncts.at,
  )
}

/** All forms are read, also those that `type` rules out: a keyword that means nothing there may still be malformed. */
const joined = (conjuncts: Conjuncts, types: ReadonlySet<TypeName> | null): Shape => {
  const { at } = conjuncts
  const has = (type: TypeName) => types?.has(type) ?? true
  const integer = compileInteger(conjuncts, !has('number'))
  const string = compileString(conjuncts)
  const array = compileArray(conjuncts)
  const object = compileObject(conjuncts)
  const branches = [
    simple(at, has('null'), has('boolean')),
    has('integer') ? integer : nothing(at),
    has('string') ? string : nothing(at),
    has('array') ? array : nothing(at),
    has('object') ? object : nothing(at),
  ]
  return unionOf(branches, at, types === null)
}

/** Joins shapes of different kinds. A shape that admits nothing keeps its place only where it is alone. */
const unionOf = (shapes: readonly Shape[], at: string, untyped: boolean): Shape => {
  const branches = shapes.filter((shape) => shape.kind !== 'scalars' || shape.scalars.size > 0)
  const [only] = branches
  if (branches.length === 1 && only !== undefined && !untyped) return only
  if (branches.length === 0) return shapes.find((shape) => shape.at !== at) ?? nothing(at)
  return { kind: 'union', at, branches, untyped }
}

const simple = (at: string, hasNull: boolean, hasBoolean: boolean): ScalarsShape => ({
  kind: 'scalars',
  at,
  scalars: new Set([...(hasNull ? [null] : []), ...(hasBoolean ? [false, true] : [])]),
})
