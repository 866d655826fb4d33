/** A value of the JSON data model, read-only. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. Member order carries no meaning. */
export type JsonObject = { readonly [member: string]: JsonValue }
