import type { OutputShape } from '../../src/index.js'
import type { Shape } from '../../src/schema/shape.js'

/** Text that its schema leaves free, as a pattern of the schema does. */
export const free: Shape = { kind: 'string', at: '', shortest: 0, longest: 4096, language: null }

/** A listed text. */
export const listed = (...scalars: readonly string[]): Shape => ({
  kind: 'scalars',
  at: '',
  scalars: new Set(scalars),
})

/** A closed object. */
export const object = (members: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'object',
  at: '',
  members: new Map(
    Object.entries(members).map(([name, shape]) => [name, { shape, required: false, at: '' }]),
  ),
  others: null,
  fewest: 0,
  most: Object.keys(members).length,
  needs: [],
})

/** A list with a prefix. */
export const list = (prefix: readonly Shape[], items: Shape): Shape => ({
  kind: 'array',
  at: '',
  prefix,
  items,
  fewest: 0,
  most: 8,
  unique: false,
})

/** One of several shapes. */
export const union = (...branches: readonly Shape[]): Shape => ({
  kind: 'union',
  at: '',
  branches,
  untyped: false,
})

/** A shape as an output's. */
export const outputOf = (root: Shape, maxOutputBytes = 4096): OutputShape => ({
  root,
  outputs: 1n,
  maxOutputBytes,
})
