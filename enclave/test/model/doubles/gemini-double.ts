import { type ApiDouble, ApiRefusal, CANARY, checkKeywords, readMembers, type Turn } from './turn.js'

const KEYWORDS = [
  ...['$id', '$ref', '$defs', '$anchor', 'title', 'description', 'type', 'format', 'enum', 'anyOf', 'oneOf'],
  ...['items', 'prefixItems', 'properties', 'required', 'additionalProperties'],
  ...['minItems', 'maxItems', 'minimum', 'maximum'],
]
const CONFIG = ['candidateCount', 'maxOutputTokens', 'responseMimeType', 'responseJsonSchema']
const PATH = /^\/v1beta\/models\/([^/]+):generateContent$/

const check = (text: string): void => {
  const body = readMembers(text, ['systemInstruction', 'contents', 'generationConfig'])
  if (!Array.isArray(body['contents'])) throw new ApiRefusal(400, 'contents')
  const config = readMembers(JSON.stringify(body['generationConfig']), CONFIG)
  if (config['responseMimeType'] !== 'application/json') throw new ApiRefusal(400, 'responseMimeType')
  checkKeywords(config['responseJsonSchema'], KEYWORDS)
  const members = JSON.stringify(config['responseJsonSchema']).matchAll(/"enum":\[([^\]]*)\]/g)
  for (const [, values = ''] of members)
    if (/(?:^|,)(?:true|false|null)/.test(values)) throw new ApiRefusal(400, 'enum of texts and numbers')
}

const answerOf = (turn: Turn): object => {
  if (turn.does === 'refuse') return { candidates: [{ finishReason: 'SAFETY', index: 0, safetyRatings: [] }] }
  const parts = [
    { text: CANARY, thought: true },
    { text: turn.text, thoughtSignature: 'c2ln' },
  ]
  const finishReason = turn.does === 'complete' ? 'STOP' : 'MAX_TOKENS'
  return { candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }] }
}

/** Gemini's generateContent. */
export const geminiDouble: ApiDouble = (key, turn) => (heard) => {
  try {
    const model = decodeURIComponent(PATH.exec(heard.path)?.[1] ?? '')
    if (heard.method !== 'POST' || model === '') throw new ApiRefusal(404, 'not found')
    if (heard.headers['x-goog-api-key'] !== key) throw new ApiRefusal(403, 'API key not valid')
    check(heard.text)
    const modelVersion = turn.does === 'complete' && turn.model !== undefined ? turn.model : model
    const answer = {
      ...answerOf(turn),
      usageMetadata: { totalTokenCount: 15 },
      modelVersion,
      responseId: 'r1',
    }
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify(answer),
    }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    const refusal = { code: error.status, message: `${error.message} ${CANARY}`, status: 'INVALID_ARGUMENT' }
    return { status: error.status, body: JSON.stringify({ error: refusal }) }
  }
}
