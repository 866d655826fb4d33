import { type ApiDouble, ApiRefusal, CANARY, readMembers } from './turn.js'

const MEMBERS = ['model', 'max_tokens', 'messages', 'response_format', 'temperature', 'seed', 'stream']

/** llama.cpp's server. It takes no key, knows no refusal, and calls the model by its file. */
export const llamaDouble: ApiDouble = (_, turn) => (heard) => {
  try {
    if (heard.method !== 'POST' || heard.path !== '/v1/chat/completions')
      throw new ApiRefusal(404, 'File Not Found')
    if (heard.headers.authorization !== undefined) throw new ApiRefusal(400, 'a key that nobody asked for')
    const { response_format, temperature } = readMembers(heard.text, MEMBERS)
    const { type, json_schema } = response_format as { type: string; json_schema: { schema?: unknown } }
    if (type !== 'json_schema' || json_schema.schema === undefined || temperature !== 0)
      throw new ApiRefusal(400, 'response_format')
    const content = turn.does === 'refuse' ? 'I can’t do that.' : turn.text
    const finish_reason = turn.does === 'truncate' ? 'length' : 'stop'
    const choice = { index: 0, finish_reason, message: { role: 'assistant', content } }
    const completion = { object: 'chat.completion', created: 1, model: 'tiny.gguf', choices: [choice] }
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(completion),
    }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    const refusal = {
      code: error.status,
      message: `${error.message} ${CANARY}`,
      type: 'invalid_request_error',
    }
    return { status: error.status, body: JSON.stringify({ error: refusal }) }
  }
}
