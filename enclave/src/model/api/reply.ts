import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import type { ModelFailure, ModelReply } from '../model-provider.js'

/** A call that failed. */
export const failed = (cause: ModelFailure): ModelReply => ({ kind: 'failed', cause })

export const REFUSED: ModelReply = { kind: 'refused' }
export const TRUNCATED: ModelReply = { kind: 'truncated' }

/** A draft; an empty one is none. */
export const completed = (text: string, model_returned: string | null): ModelReply =>
  text === '' ? failed('malformed') : { kind: 'completed', text, model_returned }

/** The name that a provider gives its model: shown in a receipt, so nothing but a name. */
export const modelName = v.pipe(v.string(), v.regex(/^[\w.:@/-]{1,128}$/))

/**
 * Reads an answer. Members that are not asked for are passed over: the API is its provider's, and may grow.
 * @returns `malformed` where the form does not fit
 */
export const readReply = <T>(
  form: v.GenericSchema<unknown, T>,
  answer: JsonValue,
  read: (answer: T) => ModelReply,
): ModelReply => {
  const result = v.safeParse(form, answer, { abortEarly: true })
  return result.success ? read(result.output) : failed('malformed')
}
