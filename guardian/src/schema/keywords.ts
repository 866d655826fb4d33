import type { JsonObject } from '@parley/protocol'
import type { Dialect } from './dialect.js'

/**
 * Keywords that constrain nothing. AgentVault's own bound is read by `agentVaultBits` only, and never believed; its
 * prompt texts are read by nobody.
 */
const ANNOTATIONS = [
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'x-vcav-entropy-bits-upper-bound',
  'x-vcav-prompt-instruction',
  'x-vcav-prompt-context',
  'x-vcav-prompt-output-format',
  // What is defined constrains only where it is referred to.
  '$defs',
  'definitions',
]

/** Elsewhere these would change what a reference below them means. */
const AT_ROOT_ONLY = ['$schema', '$id']

/** Keywords that lead to other schemas of the same value. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf']

const CONSTRAINTS = [
  'type',
  'const',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'prefixItems',
  'items',
  'additionalItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'dependentRequired',
]

/** Keywords that the other dialect ignores: there they would look like constraints and be none. */
const FOREIGN: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': ['prefixItems', 'dependentRequired'],
  '2020-12': ['additionalItems'],
}

const KNOWN = new Set([...ANNOTATIONS, ...COMBINING, ...CONSTRAINTS])

/** The first keyword that is not read here, if any: it might narrow or widen what is admitted. */
export const strangeKeyword = (
  schema: JsonObject,
  dialect: Dialect | null,
  isRoot: boolean,
): string | undefined =>
  Object.keys(schema).find((keyword) => {
    if (AT_ROOT_ONLY.includes(keyword)) return !isRoot
    if (dialect !== null && FOREIGN[dialect].includes(keyword)) return true
    return !KNOWN.has(keyword)
  })

/** Whether a schema says anything of the value itself. */
export const isConstraining = (schema: JsonObject): boolean =>
  CONSTRAINTS.some((keyword) => Object.hasOwn(schema, keyword))

/** The first keyword beside a `$ref` that draft-07 would ignore. */
export const besideReference = (schema: JsonObject): string | undefined =>
  [...CONSTRAINTS, ...COMBINING].find((keyword) => keyword !== '$ref' && Object.hasOwn(schema, keyword))
