import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonValue } from '@parley/protocol'

/** Validates with ajv in strict mode, own members only: the oracle for which values a schema admits. */
export const oracle = (schema: JsonObject): ((value: JsonValue) => boolean) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, ownProperties: true })
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}
