import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@parley/protocol'

/** @throws Error if the value is no object */
export function objectOf(value: JsonValue | undefined, what: string): JsonObject {
  if (value === undefined || !isJsonObject(value)) throw new Error(`${what} is no object`)
  return value
}

/** A member that is an object. @throws Error */
export const objectAt = (object: JsonObject, name: string): JsonObject => objectOf(object[name], name)

/** A member that is a text. @throws Error */
export function textAt(object: JsonObject, name: string): string {
  const value = object[name]
  if (typeof value !== 'string') throw new Error(`${name} is no text`)
  return value
}

/** The object in a JSON file. @throws Error */
export const readObject = (path: string): JsonObject => objectOf(parseJson(readFileSync(path)), path)
