import type { FirstRefusal } from '../first-refusal.js'
import { pointerTo } from '../schema/json-pointer.js'
import { measureTexts } from '../schema/pattern/measure-texts.js'
import type { SchemaCode } from '../schema/schema-code.js'
import type { IntegerShape, Shape, StringShape } from '../schema/shape.js'
import { Work } from '../schema/work.js'
import { countMembers } from './count-members.js'
import { countSequences } from './count-sequences.js'
import { TOO_MANY } from './too-many.js'

/**
 * Counts how many distinct canonical values shapes admit, exactly, each shape once. What is free or open is refused,
 * and so is a count of 2^4096 or more, and one of none; then the figure means nothing.
 */
export class ValueCounter {
  readonly refusals: FirstRefusal<SchemaCode>
  readonly work = new Work()
  readonly #known = new Map<Shape, bigint>()

  constructor(refusals: FirstRefusal<SchemaCode>) {
    this.refusals = refusals
  }

  count(shape: Shape): bigint {
    if (this.refusals.found !== null) return 0n
    const known = this.#known.get(shape)
    if (known !== undefined) return known
    const count = this.#countOf(shape)
    if (count >= TOO_MANY) this.refuse('capacity_too_large', shape.at)
    if (count === 0n) this.refuse('schema_contradictory', shape.at)
    this.#known.set(shape, count)
    return count
  }

  /** Notes why there is no count. */
  refuse(code: SchemaCode, at: string): bigint {
    this.refusals.refuse(code, at)
    return 0n
  }

  #countOf(shape: Shape): bigint {
    switch (shape.kind) {
      case 'any':
        return this.refuse('value_unbounded', shape.at)
      case 'scalars':
        return BigInt(shape.scalars.size)
      case 'integer':
        return this.#countIntegers(shape)
      case 'string':
        return this.#countTexts(shape)
      case 'array':
        return countSequences(shape, this)
      case 'object':
        return countMembers(shape, this)
      case 'union':
        if (shape.untyped) return this.refuse('value_unbounded', shape.at)
        return shape.branches.reduce((sum, branch) => sum + this.count(branch), 0n)
    }
  }

  #countIntegers({ lowest, highest, step, whole, at }: IntegerShape): bigint {
    if (!whole) return this.refuse('value_unbounded', pointerTo(at, 'type'))
    if (highest - lowest === Infinity) return this.refuse('value_unbounded', at)
    return (BigInt(highest) - BigInt(lowest)) / BigInt(step) + 1n
  }

  #countTexts({ shortest, longest, language, at }: StringShape): bigint {
    if (language === null) return this.refuse('value_unbounded', at)
    const measured = measureTexts(language, shortest, longest, this.work)
    return measured.ok ? measured.texts : this.refuse(measured.code, at)
  }
}
