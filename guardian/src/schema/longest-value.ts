import { canonicalBytes, isWellFormed } from '@parley/protocol'
import type { FirstRefusal } from '../first-refusal.js'
import { pointerTo } from './json-pointer.js'
import { measureTexts } from './pattern/measure-texts.js'
import type { SchemaCode } from './schema-code.js'
import type { ArrayShape, IntegerShape, ObjectShape, Shape, StringShape } from './shape.js'
import { Work } from './work.js'

/** What fits a response in the largest size class, with its receipt and with base64url around it. */
export const MAX_VALUE_BYTES = 1_048_576

/** A control character is one code point and six bytes: \u001f. */
const MAX_CODE_POINT_BYTES = 6

/**
 * Bytes of canonical JSON that no admitted value exceeds. Some value has exactly so many, save where a text without
 * a pattern, an array without repetition, or an object with rules on which members it has is in it: there it is
 * an upper bound. What has no longest value is refused.
 */
export const longestValue = (shape: Shape, refusals: FirstRefusal<SchemaCode>): number =>
  new Longest(refusals).of(shape)

class Longest {
  readonly #refusals: FirstRefusal<SchemaCode>
  readonly #work = new Work()
  readonly #known = new Map<Shape, number>()

  constructor(refusals: FirstRefusal<SchemaCode>) {
    this.#refusals = refusals
  }

  of(shape: Shape): number {
    if (this.#refusals.found !== null) return 0
    const known = this.#known.get(shape)
    if (known !== undefined) return known
    const bytes = this.#measure(shape)
    if (bytes > MAX_VALUE_BYTES) this.#refuse('value_too_large', shape.at)
    this.#known.set(shape, bytes)
    return bytes
  }

  #measure(shape: Shape): number {
    switch (shape.kind) {
      case 'any':
        return this.#refuse('value_unbounded', shape.at)
      case 'scalars':
        if (shape.scalars.size === 0) return this.#refuse('schema_contradictory', shape.at)
        return longest(shape.scalars)
      case 'integer':
        return this.#integer(shape)
      case 'string':
        return this.#text(shape)
      case 'array':
        return this.#array(shape)
      case 'object':
        return this.#object(shape)
      case 'union':
        if (shape.untyped) return this.#refuse('value_unbounded', shape.at)
        return shape.branches.reduce((bytes, branch) => Math.max(bytes, this.of(branch)), 0)
    }
  }

  #integer({ lowest, highest, whole, at }: IntegerShape): number {
    if (!whole) return this.#refuse('value_unbounded', pointerTo(at, 'type'))
    if (highest - lowest === Infinity) return this.#refuse('value_unbounded', at)
    return longest([lowest, highest])
  }

  #text({ shortest, longest: most, language, at }: StringShape): number {
    if (language !== null) {
      const measured = measureTexts(language, shortest, most, this.#work)
      if (!measured.ok) return this.#refuse(measured.code, at)
      return measured.bytes === -1 ? this.#refuse('schema_contradictory', at) : measured.bytes
    }
    return most === Infinity ? this.#refuse('value_unbounded', at) : 2 + MAX_CODE_POINT_BYTES * most
  }

  #array({ prefix, items, most, at }: ArrayShape): number {
    if (most === Infinity) return this.#refuse('value_unbounded', at)
    const listed = prefix.slice(0, most).reduce((bytes, item) => bytes + this.of(item), 0)
    const more = most - Math.min(most, prefix.length)
    return 2 + listed + (more === 0 ? 0 : more * this.of(items)) + Math.max(0, most - 1)
  }

  #object({ members, others, most, at }: ObjectShape): number {
    if (others !== null) return this.#refuse('object_open', others.at)
    const each = [...members].map(([name, { shape }]) => this.#name(name, at) + 1 + this.of(shape))
    // No more than so many: the longest ones, if they may go together.
    const kept = most < each.length ? each.sort((a, b) => b - a).slice(0, most) : each
    return 2 + Math.max(0, kept.length - 1) + kept.reduce((bytes, member) => bytes + member, 0)
  }

  #name(name: string, at: string): number {
    return isWellFormed(name) ? canonicalBytes(name).length : this.#refuse('schema_malformed', at)
  }

  #refuse(code: SchemaCode, at: string): number {
    this.#refusals.refuse(code, at)
    return 0
  }
}

const longest = (scalars: Iterable<null | boolean | number | string>): number => {
  let bytes = 0
  for (const scalar of scalars) bytes = Math.max(bytes, canonicalBytes(scalar).length)
  return bytes
}
