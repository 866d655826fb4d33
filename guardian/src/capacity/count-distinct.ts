import { areDisjoint } from '../schema/disjoint.js'
import type { ArrayShape, Scalar, Shape } from '../schema/shape.js'
import type { ValueCounter } from './count-values.js'
import { TOO_MANY } from './too-many.js'

/** Positions whose sets overlap are counted by inclusion and exclusion: for so many, and so small sets. */
const MOST_OVERLAPPING = 8
const MOST_LISTED = 4096
const NONE: ReadonlySet<Scalar> = new Set()

/** How many sequences without repetition an array admits. */
export const countDistinct = (shape: ArrayShape, counter: ValueCounter): bigint => {
  const { prefix, items, most } = shape
  const slots = most > prefix.length ? [...prefix, items] : prefix
  const sets = slots.map((slot) => counter.count(slot))
  if (counter.refusals.found !== null) return 0n
  const groups = groupsOf(slots, counter)
  if (groups !== null) return countApart(shape, groups, sets)
  const scalars = most <= MOST_OVERLAPPING ? slots.map(scalarsOf) : [null]
  const listed = scalars.filter((set) => set !== null)
  if (listed.length < slots.length) return counter.refuse('not_countable', shape.at)
  return countOverlapping(shape, listed, counter)
}

/** For each slot the first one of the same set, where all others are disjoint; else null. */
const groupsOf = (slots: readonly Shape[], { work }: ValueCounter): readonly number[] | null => {
  const firsts: number[] = []
  const groups: number[] = []
  for (const [index, slot] of slots.entries()) {
    const same = firsts.find((first) => isSame(slots[first], slot))
    if (same === undefined) {
      if (!firsts.every((first) => areDisjoint(slots[first] ?? slot, slot, work))) return null
      firsts.push(index)
    }
    groups.push(same ?? index)
  }
  return groups
}

const isSame = (one: Shape | undefined, other: Shape): boolean => {
  if (one === other) return true
  if (one?.kind === 'integer' && other.kind === 'integer')
    return one.lowest === other.lowest && one.highest === other.highest && one.step === other.step
  if (one?.kind !== 'scalars' || other.kind !== 'scalars') return false
  return (
    one.scalars.size === other.scalars.size && [...one.scalars].every((value) => other.scalars.has(value))
  )
}

/** Of a set of n, the next position that draws from it has one value less to choose from. */
const countApart = (
  { fewest, most }: ArrayShape,
  groups: readonly number[],
  sets: readonly bigint[],
): bigint => {
  const left = [...sets]
  let count = 0n
  let sequences = 1n
  for (let length = 0; length <= most && sequences > 0n; length++) {
    if (sequences >= TOO_MANY) return TOO_MANY
    if (length >= fewest) count += sequences
    const group = groups[Math.min(length, groups.length - 1)] ?? 0
    const choices = left[group] ?? 0n
    sequences *= choices
    left[group] = choices - 1n
  }
  return count
}

const scalarsOf = (shape: Shape): ReadonlySet<Scalar> | null => {
  if (shape.kind === 'scalars') return shape.scalars
  if (shape.kind !== 'integer') return null
  const size = (shape.highest - shape.lowest) / shape.step + 1
  if (!(size <= MOST_LISTED)) return null
  return new Set(Array.from({ length: size }, (_, index) => shape.lowest + index * shape.step))
}

const countOverlapping = (
  { fewest, most, at }: ArrayShape,
  slots: readonly ReadonlySet<Scalar>[],
  counter: ValueCounter,
): bigint => {
  let count = 0n
  for (let length = fewest; length <= most; length++) {
    const sets = Array.from({ length }, (_, index) => slots[Math.min(index, slots.length - 1)] ?? NONE)
    count += distinctChoices(sets, counter)
  }
  return counter.work.exhausted ? counter.refuse('schema_too_complex', at) : count
}

/**
 * Ways to choose one value of each set, all different: any value of the last, less those where it is also the
 * choice of one other set, which then is chosen from both.
 */
const distinctChoices = (sets: readonly ReadonlySet<Scalar>[], counter: ValueCounter): bigint => {
  const last = sets.at(-1)
  if (last === undefined) return 1n
  const others = sets.slice(0, -1)
  let ways = BigInt(last.size) * distinctChoices(others, counter)
  for (const [index, other] of others.entries()) {
    if (!counter.work.spend(other.size + 1)) return 0n
    const both = new Set([...other].filter((value) => last.has(value)))
    if (both.size > 0) ways -= distinctChoices(others.with(index, both), counter)
  }
  return ways
}
