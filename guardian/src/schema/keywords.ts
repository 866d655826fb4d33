import type { JsonObject } from '@parley/protocol'

/** Keywords that constrain nothing. AgentVault's own bound is read by `agentVaultBits` only, and never believed. */
const ANNOTATIONS = [
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'x-vcav-entropy-bits-upper-bound',
]

/** The forms that a schema of this family takes, and the keywords of each. */
const FORMS = {
  const: ['const', 'type'],
  enum: ['enum', 'type'],
  boolean: ['type'],
  null: ['type'],
  integer: ['type', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  string: ['type', 'minLength', 'maxLength'],
  array: ['type', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['type', 'properties', 'required', 'additionalProperties'],
} as const

export type Form = keyof typeof FORMS

const TYPED: readonly Form[] = ['boolean', 'null', 'integer', 'string', 'array', 'object']

/** The form of a schema, or null where neither const, enum nor a bounded type names one. */
export const formOf = (schema: JsonObject): Form | null => {
  if (Object.hasOwn(schema, 'const')) return 'const'
  if (Object.hasOwn(schema, 'enum')) return 'enum'
  return TYPED.find((form) => form === schema['type']) ?? null
}

/** The first keyword that has no meaning in this form, if any: it might narrow or widen what is admitted. */
export const strangeKeyword = (schema: JsonObject, form: Form | null): string | undefined => {
  const known: readonly string[] = form === null ? ['type'] : FORMS[form]
  return Object.keys(schema).find((keyword) => !known.includes(keyword) && !ANNOTATIONS.includes(keyword))
}
