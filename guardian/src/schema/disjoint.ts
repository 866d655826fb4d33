import { checkValue } from './check-value.js'
import { leastCommonMultiple, multiplesWithin } from './multiples.js'
import { compileLanguage } from './pattern/language.js'
import { measureTexts } from './pattern/measure-texts.js'
import type { ArrayShape, IntegerShape, ObjectShape, ScalarsShape, Shape, StringShape } from './shape.js'
import type { Work } from './work.js'

/** Whether it is certain that no value is in both shapes. Where in doubt, or out of work: no. */
export const areDisjoint = (one: Shape, other: Shape, work: Work): boolean => {
  if (!work.spend(4)) return false
  if (one.kind === 'union') return one.branches.every((branch) => areDisjoint(branch, other, work))
  if (one.kind === 'scalars') return excludesAll(other, one, work)
  if (other.kind === 'union' || other.kind === 'scalars') return areDisjoint(other, one, work)
  if (one.kind === 'any' || other.kind === 'any') return false
  if (one.kind === 'integer' && other.kind === 'integer') return integersApart(one, other)
  if (one.kind === 'string' && other.kind === 'string') return textsApart(one, other, work)
  if (one.kind === 'array' && other.kind === 'array') return arraysApart(one, other, work)
  if (one.kind === 'object' && other.kind === 'object') return objectsApart(one, other, work)
  return one.kind !== other.kind
}

const excludesAll = (shape: Shape, { scalars }: ScalarsShape, work: Work): boolean =>
  work.spend(2 * scalars.size) && [...scalars].every((scalar) => !checkValue(shape, scalar).ok)

const integersApart = (one: IntegerShape, other: IntegerShape): boolean => {
  const lowest = Math.max(one.lowest, other.lowest)
  const highest = Math.min(one.highest, other.highest)
  // Of fractions no more is known than their bounds.
  if (!one.whole && !other.whole) return lowest > highest
  return multiplesWithin(lowest, highest, leastCommonMultiple(one.step, other.step)) === null
}

const textsApart = (one: StringShape, other: StringShape, work: Work): boolean => {
  const shortest = Math.max(one.shortest, other.shortest)
  const longest = Math.min(one.longest, other.longest)
  if (shortest > longest) return true
  const patterns = [...(one.language?.patterns ?? []), ...(other.language?.patterns ?? [])]
  const both = patterns.length === 0 ? null : compileLanguage(patterns, work)
  if (both === null) return false
  const common = measureTexts(both, shortest, longest, work)
  return common.ok && common.bytes === -1
}

/** Arrays of both would have items of both at each position that one of them needs. */
const arraysApart = (one: ArrayShape, other: ArrayShape, work: Work): boolean => {
  const fewest = Math.max(one.fewest, other.fewest)
  if (fewest > Math.min(one.most, other.most)) return true
  // Beyond both prefixes one position is like the next.
  const told = Math.min(fewest, Math.max(one.prefix.length, other.prefix.length) + 1)
  for (let index = 0; index < told && !work.exhausted; index++) {
    const [mine, yours] = [one.prefix[index] ?? one.items, other.prefix[index] ?? other.items]
    if (areDisjoint(mine, yours, work)) return true
  }
  return false
}

/** Objects of both would have every member that one of them needs, with a value of both. */
const objectsApart = (one: ObjectShape, other: ObjectShape, work: Work): boolean =>
  lacks(one, other, work) ||
  lacks(other, one, work) ||
  Math.max(one.fewest, other.fewest) > Math.min(one.most, other.most)

const lacks = (needing: ObjectShape, other: ObjectShape, work: Work): boolean => {
  for (const [name, { shape, required }] of needing.members) {
    if (!required) continue
    const theirs = other.members.get(name)?.shape ?? other.others?.shape
    if (theirs === undefined || areDisjoint(shape, theirs, work)) return true
    if (work.exhausted) return false
  }
  return false
}
