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
  ...['$ref', '$defs', 'definitions', 'title', 'description', 'type', 'enum', 'const', 'anyOf', 'allOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'format', 'pattern', 'default'],
]

const checkSchema = (schema: unknown): void => {
  checkKeywords(schema, KEYWORDS)
  for (const { additionalProperties } of objectsIn(schema))
    if (additionalProperties !== false) throw new ApiRefusal(400, 'additionalProperties must be false')
  if (/"minItems":(?![01][,}])/.test(JSON.stringify(schema))) throw new ApiRefusal(400, 'minItems is 0 or 1')
}

const check = (text: string): string => {
  const body = readMembers(text, ['model', 'max_tokens', 'system', 'messages', 'output_config'])
  const { model, max_tokens, messages, output_config } = body
  if (typeof model !== 'string' || typeof max_tokens !== 'number' || !Array.isArray(messages))
    throw new ApiRefusal(400, 'a member is missing')
  const { format } = output_config as { format: { type: string; schema: unknown } }
  if (format.type !== 'json_schema') throw new ApiRefusal(400, 'output_config.format')
  checkSchema(format.schema)
  return model
}

const spoken = (turn: Turn): object => {
  if (turn.does === 'refuse') return { stop_reason: 'refusal', content: [{ type: 'text', text: CANARY }] }
  const thinking = { type: 'thinking', thinking: CANARY, signature: 'c2ln' }
  return turn.does === 'complete'
    ? { stop_reason: 'end_turn', content: [thinking, { type: 'text', text: turn.text }] }
    : { stop_reason: 'max_tokens', content: [{ type: 'text', text: turn.text }] }
}

/** Anthropic's Messages API. */
export const anthropicDouble: ApiDouble = (key, turn) => (heard) => {
  try {
    if (heard.method !== 'POST' || heard.path !== '/v1/messages') throw new ApiRefusal(404, 'not found')
    if (heard.headers['x-api-key'] !== key) throw new ApiRefusal(401, 'invalid x-api-key')
    if (heard.headers['anthropic-version'] !== '2023-06-01') throw new ApiRefusal(400, 'anthropic-version')
    const model = check(heard.text)
    const usage = { input_tokens: 10, output_tokens: 5 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null, usage }
    const renamed = turn.does === 'complete' && turn.model !== undefined ? { model: turn.model } : {}
    return { status: 200, body: JSON.stringify({ ...message, ...spoken(turn), ...renamed }) }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    const refusal = { type: 'invalid_request_error', message: `${error.message} ${CANARY}` }
    return { status: error.status, body: JSON.stringify({ type: 'error', error: refusal }) }
  }
}
