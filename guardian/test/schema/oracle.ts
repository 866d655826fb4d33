import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalize, type JsonObject, type JsonValue } from '@parley/protocol'

type Admits = (value: JsonValue) => boolean

/** Validates with ajv in strict mode, own members only: the oracle for which values a schema admits. */
export const oracle = (schema: JsonObject): Admits => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, ownProperties: true })
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}

/** The same for schemas of either dialect that say little of each value. */
export const looseOracle = ({ $schema, ...schema }: JsonObject): Admits => {
  const Dialect = typeof $schema === 'string' && $schema.includes('draft-07') ? Ajv : Ajv2020
  // Without the meta-schema, which would take longer to compile than any schema here.
  const ajv = new Dialect({ strict: false, ownProperties: true, meta: false, validateSchema: false })
  // Ajv looks only at items of the types in `items`, though `prefixItems` may admit others.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems })
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}

const hasUniqueItems = (unique: boolean, items: readonly JsonValue[]): boolean =>
  !unique || new Set(items.map(canonicalize)).size === items.length
