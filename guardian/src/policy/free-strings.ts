import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { checkValue } from '../schema/check-value.js'
import type { ArrayShape, ObjectShape, Shape } from '../schema/shape.js'

/**
 * The strings of an admitted value whose text its schema leaves to the evaluator: those of a `pattern`. What an enum or
 * const lists is the contract's own text, and no participant's.
 */
export const freeStrings = (shape: Shape, value: JsonValue): readonly string[] => {
  switch (shape.kind) {
    case 'scalars':
    case 'integer':
      return []
    case 'string':
    case 'any':
      return allStrings(value)
    case 'array':
      return isJsonArray(value) ? value.flatMap((item, nth) => freeStrings(itemShape(shape, nth), item)) : []
    case 'object':
      return isJsonObject(value) ? inMembers(shape, value) : []
    case 'union':
      return shape.branches
        .filter((branch) => checkValue(branch, value).ok)
        .flatMap((branch) => freeStrings(branch, value))
  }
}

/** Whether any admitted value may have such a string. */
export const hasFreeStrings = (root: Shape): boolean => {
  // References make one shape stand in many places: each is walked once. The set grows while it is walked.
  const shapes = new Set([root])
  for (const shape of shapes) {
    if (shape.kind === 'string' || shape.kind === 'any') return true
    for (const inner of innerShapes(shape)) shapes.add(inner)
  }
  return false
}

const allStrings = (value: JsonValue): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return (isJsonArray(value) ? value : Object.values(value)).flatMap(allStrings)
}

const itemShape = ({ prefix, items }: ArrayShape, nth: number): Shape => prefix[nth] ?? items

const inMembers = ({ members, others }: ObjectShape, value: JsonObject): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) => {
    const shape = members.get(name)?.shape ?? others?.shape
    return shape === undefined ? [] : freeStrings(shape, member)
  })

const innerShapes = (shape: Shape): readonly Shape[] => {
  if (shape.kind === 'array') return [...shape.prefix, shape.items]
  if (shape.kind === 'union') return shape.branches
  if (shape.kind !== 'object') return []
  const members = [...shape.members.values()].map((member) => member.shape)
  return shape.others === null ? members : [...members, shape.others.shape]
}
