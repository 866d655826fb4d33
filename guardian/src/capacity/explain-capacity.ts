import { FirstRefusal } from '../first-refusal.js'
import type { SchemaCode } from '../schema/schema-code.js'
import type { Shape } from '../schema/shape.js'
import { chargeMillibits } from './charge-millibits.js'
import { ValueCounter } from './count-values.js'
import { describeShape } from './describe-shape.js'
import type { OutputShape } from './output-shape.js'

/** What one part of an output adds. */
export type CapacityRow = {
  /** Where the schema says so; '' is the whole output. */
  readonly pointer: string
  /** How many values the part admits; a member that may be absent has one state more than that. */
  readonly outputs: string
  /** log2 of the part's states, rounded up to a thousandth. Those of an object's members add up to the object's. */
  readonly bits: number
  /** In words, without any text of the schema. */
  readonly why: string
}

/**
 * Explains a counted capacity field by field: a row for the whole, then one for each part below it, each
 * definition once. For people: what counts is `outputs` of the shape.
 * @see protocol SPEC §6
 */
export const explainCapacity = (shape: OutputShape): readonly CapacityRow[] => {
  const explanation = new Explanation()
  explanation.add(shape.root, '', true)
  return explanation.rows
}

class Explanation {
  readonly rows: CapacityRow[] = []
  readonly #counter = new ValueCounter(new FirstRefusal<SchemaCode>())
  readonly #explained = new Set<Shape>()

  add(shape: Shape, pointer: string, required: boolean): void {
    const outputs = this.#counter.count(shape)
    const bits = chargeMillibits(outputs + (required ? 0n : 1n)) / 1000
    const why = describeShape(shape) + (required ? '' : ', or absent')
    this.rows.push({ pointer, outputs: outputs.toString(), bits, why })
    if (this.#explained.has(shape)) return
    this.#explained.add(shape)
    this.#addParts(shape)
  }

  #addParts(shape: Shape): void {
    if (shape.kind === 'object')
      for (const { shape: member, at, required } of shape.members.values()) {
        if (at !== shape.at) this.add(member, at, required)
      }
    // What stands where the whole does is a listed value or a type of several: it has no row of its own.
    for (const part of partsOf(shape)) if (part.at !== shape.at) this.add(part, part.at, true)
  }
}

const partsOf = (shape: Shape): readonly Shape[] => {
  if (shape.kind === 'union') return shape.branches
  if (shape.kind !== 'array') return []
  return shape.most > shape.prefix.length ? [...shape.prefix, shape.items] : shape.prefix
}
