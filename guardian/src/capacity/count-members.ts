import type { Member, ObjectShape } from '../schema/shape.js'
import type { ValueCounter } from './count-values.js'
import { TOO_MANY } from './too-many.js'

/** Every choice of members that depend on one another is tried. */
const MOST_DEPENDENT = 12

/** How many objects with 0, 1, 2 … members there are. */
type BySize = readonly bigint[]

/** How many objects a shape admits. */
export const countMembers = (shape: ObjectShape, counter: ValueCounter): bigint => {
  if (shape.others !== null) return counter.refuse('object_open', shape.others.at)
  const members = [...shape.members]
  for (const [, member] of members) counter.count(member.shape)
  if (counter.refusals.found !== null) return 0n
  const isFree = shape.needs.length === 0 && shape.fewest === 0 && shape.most >= members.length
  return isFree ? product(members, counter) : countBySize(shape, counter)
}

/** A member that may be absent has one more state. */
const product = (members: readonly (readonly [string, Member])[], counter: ValueCounter): bigint => {
  let count = 1n
  for (const [, { shape, required }] of members) {
    count *= counter.count(shape) + (required ? 0n : 1n)
    if (count >= TOO_MANY) return TOO_MANY
  }
  return count
}

const countBySize = (shape: ObjectShape, counter: ValueCounter): bigint => {
  const { members, fewest, most, needs, at } = shape
  const named = new Set(needs.flatMap(({ name, needed }) => [name, ...needed]))
  const dependent = [...named].filter((name) => members.get(name)?.required === false)
  if (dependent.length > MOST_DEPENDENT) return counter.refuse('not_countable', at)
  let free: BySize = [1n]
  for (const [name, member] of members)
    if (!dependent.includes(name)) free = withMember(free, member, counter)
  const chosen = dependentSizes(shape, dependent, counter)
  let count = 0n
  for (const [size, objects] of free.entries())
    for (const [more, ways] of chosen.entries())
      if (fewest <= size + more && size + more <= most) count += objects * ways
  return counter.work.exhausted ? counter.refuse('schema_too_complex', at) : count
}

const withMember = (sizes: BySize, { shape, required }: Member, counter: ValueCounter): BySize => {
  if (!counter.work.spend(4 * sizes.length)) return sizes
  const values = counter.count(shape)
  const absent = (size: number) => (required ? 0n : (sizes[size] ?? 0n))
  return Array.from({ length: sizes.length + 1 }, (_, size) =>
    capped(absent(size) + (sizes[size - 1] ?? 0n) * values),
  )
}

/** The same for the members that depend on one another: the sum over all sets of them that may go together. */
const dependentSizes = (shape: ObjectShape, dependent: readonly string[], counter: ValueCounter): BySize => {
  const sizes = Array.from({ length: dependent.length + 1 }, () => 0n)
  for (let choice = 0; choice < 2 ** dependent.length; choice++) {
    const names = dependent.filter((_, bit) => (choice & (1 << bit)) !== 0)
    if (!counter.work.spend(1 + shape.needs.length)) break
    if (isAllowed(shape, new Set(names)))
      sizes[names.length] = waysOf(names, shape, counter) + (sizes[names.length] ?? 0n)
  }
  return sizes
}

const waysOf = (names: readonly string[], { members }: ObjectShape, counter: ValueCounter): bigint =>
  names.reduce((ways, name) => {
    const member = members.get(name)
    return member === undefined ? ways : capped(ways * counter.count(member.shape))
  }, 1n)

const isAllowed = ({ members, needs }: ObjectShape, chosen: ReadonlySet<string>): boolean => {
  const isThere = (name: string) => chosen.has(name) || members.get(name)?.required === true
  return needs.every(({ name, needed }) => !isThere(name) || needed.every(isThere))
}

const capped = (count: bigint): bigint => (count < TOO_MANY ? count : TOO_MANY)
