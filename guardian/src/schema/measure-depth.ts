import { MAX_JSON_DEPTH } from '@parley/protocol'
import type { FirstRefusal } from '../first-refusal.js'
import type { SchemaCode } from './schema-code.js'
import type { Shape } from './shape.js'

/** Refuses a shape with values that nest deeper than any JSON that is parsed: they could never be released. */
export const measureDepth = (shape: Shape, refusals: FirstRefusal<SchemaCode>): void => {
  const known = new Map<Shape, number>()
  const levels = (of: Shape): number => {
    const measured = known.get(of)
    if (measured !== undefined) return measured
    const inner = parts(of).reduce((most, part) => Math.max(most, levels(part)), 0)
    const deepest = inner + (of.kind === 'union' ? 0 : 1)
    if (deepest > MAX_JSON_DEPTH) refusals.refuse('schema_too_deep', of.at)
    known.set(of, deepest)
    return deepest
  }
  levels(shape)
}

const parts = (shape: Shape): readonly Shape[] => {
  switch (shape.kind) {
    case 'any':
    case 'scalars':
    case 'integer':
    case 'string':
      return []
    case 'array':
      return [...shape.prefix, shape.items]
    case 'object':
      return [...shape.members.values()].map((member) => member.shape)
    case 'union':
      return shape.branches
  }
}
