import {
  type ApiDouble,
  ApiRefusal,
  CANARY,
  checkKeywords,
  objectsIn,
  readMembers,
  type Turn,
} from './turn.js'

const KEYWORDS = [
  ...['$ref', '$defs', 'definitions', 'title', 'description', 'type', 'enum', 'const', 'anyOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]
const MEMBERS = ['model', 'max_completion_tokens', 'messages', 'response_format', 'store']

const checkStrict = (schema: unknown): void => {
  checkKeywords(schema, KEYWORDS)
  if ((schema as { type?: unknown }).type !== 'object')
    throw new ApiRefusal(400, 'the root must be an object')
  for (const { properties = {}, required = [], additionalProperties } of objectsIn(schema)) {
    if (additionalProperties !== false) throw new ApiRefusal(400, 'additionalProperties must be false')
    for (const name of Object.keys(properties as object))
      if (!(required as string[]).includes(name)) throw new ApiRefusal(400, `${name} must be required`)
  }
}

const check = (text: string): string => {
  const { model, response_format, messages } = readMembers(text, MEMBERS)
  if (typeof model !== 'string' || !Array.isArray(messages)) throw new ApiRefusal(400, 'a member is missing')
  const { type, json_schema } = response_format as { type: string; json_schema: Record<string, unknown> }
  if (type !== 'json_schema' || typeof json_schema['name'] !== 'string')
    throw new ApiRefusal(400, 'response_format')
  if (json_schema['strict'] === true) checkStrict(json_schema['schema'])
  return model
}

const choiceOf = (turn: Turn): object => {
  const message = { role: 'assistant', content: null, refusal: null, annotations: [] }
  if (turn.does === 'refuse') return { finish_reason: 'stop', message: { ...message, refusal: CANARY } }
  const finish_reason = turn.does === 'complete' ? 'stop' : 'length'
  return { finish_reason, message: { ...message, content: turn.text } }
}

/** OpenAI's chat completions. */
export const openAiDouble: ApiDouble = (key, turn) => (heard) => {
  try {
    if (heard.method !== 'POST' || heard.path !== '/v1/chat/completions')
      throw new ApiRefusal(404, 'not found')
    if (heard.headers.authorization !== `Bearer ${key}`)
      throw new ApiRefusal(401, 'Incorrect API key provided')
    const asked = check(heard.text)
    const model = turn.does === 'complete' && turn.model !== undefined ? turn.model : `${asked}-2026-01-01`
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      system_fingerprint: 'fp_1',
    }
    const choices = [{ index: 0, logprobs: null, ...choiceOf(turn) }]
    return { status: 200, body: JSON.stringify({ ...completion, choices, usage: { total_tokens: 15 } }) }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    const refusal = {
      message: `${error.message} ${CANARY}`,
      type: 'invalid_request_error',
      param: null,
      code: null,
    }
    return { status: error.status, body: JSON.stringify({ error: refusal }) }
  }
}
