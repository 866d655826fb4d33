import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'

/**
 * What a model said, taken as it is: one strict JSON text, or nothing. Whatever stood around it would have to be
 * guessed away.
 */
export const parseDraft = (text: string): { readonly json: JsonValue } | undefined => {
  try {
    return { json: parseJson(text) }
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}
