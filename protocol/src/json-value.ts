/** A value of the JSON data model, read-only. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. Member order carries no meaning. */
export type JsonObject = { readonly [member: string]: JsonValue }

/** True for a JSON array; narrows a read-only array, which `Array.isArray` does not. */
export const isJsonArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** True for a JSON object: neither null nor an array. */
export const isJsonObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
