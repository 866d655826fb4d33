import type { Heard, Told } from './api-server.js'

/** What a model does with a prompt that its API has accepted. */
export type Turn =
  | { readonly does: 'complete'; readonly text: string; readonly model?: string }
  | { readonly does: 'refuse' }
  | { readonly does: 'truncate'; readonly text: string }

/** A text that a provider puts into whatever it says besides. */
export const CANARY = 'CANARY-OF-THE-PROVIDER'

/** An API that holds requests to its own rules, as its provider documents them. */
export type ApiDouble = (key: string, turn: Turn) => (heard: Heard) => Told

/** A request that the API refuses. */
export class ApiRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Reads a body of exactly the members that the API knows. */
export const readMembers = (text: string, known: readonly string[]): Record<string, unknown> => {
  const body = JSON.parse(text) as Record<string, unknown>
  for (const name of Object.keys(body))
    if (!known.includes(name)) throw new ApiRefusal(400, `${name}: unknown member`)
  return body
}

/** Holds every schema in a schema to the keywords that the API takes. */
export const checkKeywords = (schema: unknown, known: readonly string[]): void => {
  if (typeof schema !== 'object' || schema === null) throw new ApiRefusal(400, 'a schema is an object')
  for (const [keyword, value] of Object.entries(schema as Record<string, unknown>)) {
    if (!known.includes(keyword)) throw new ApiRefusal(400, `${keyword} is not supported`)
    if (keyword === 'items') checkKeywords(value, known)
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(keyword))
      for (const each of value as unknown[]) checkKeywords(each, known)
    if (['properties', '$defs', 'definitions'].includes(keyword))
      for (const each of Object.values(value as object)) checkKeywords(each, known)
  }
}

/** Every object of a schema. */
export const objectsIn = (schema: unknown): Record<string, unknown>[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = schema as Record<string, unknown>
  return [...(own['type'] === 'object' ? [own] : []), ...Object.values(own).flatMap(objectsIn)]
}
