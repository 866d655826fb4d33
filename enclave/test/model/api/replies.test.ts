import type { JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicApi } from '../../../src/model/api/anthropic-api.js'
import { geminiApi } from '../../../src/model/api/gemini-api.js'
import { localApi } from '../../../src/model/api/local-api.js'
import { openAiApi } from '../../../src/model/api/openai-api.js'
import { REQUEST } from '../doubles/requests.js'

const malformed = { kind: 'failed', cause: 'malformed' }
const refused = { kind: 'refused' }
const truncated = { kind: 'truncated' }

const message = (change: Record<string, JsonValue>): JsonValue => ({
  type: 'message',
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: '{}' }],
  ...change,
})

describe('a message of Anthropic', () => {
  test('is its text blocks, without what the model thought', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'text', text: '{"a"' },
      { type: 'text', text: ':1}' },
    ]
    const reply = anthropicApi('k').reply(message({ content }))
    expect(reply).toEqual({ kind: 'completed', text: '{"a":1}', model_returned: 'm' })
  })

  test.each<[string, Record<string, JsonValue>, object]>([
    ['refusal', { stop_reason: 'refusal' }, refused],
    ['refusal without content', { stop_reason: 'refusal', content: [] }, refused],
    ['max_tokens', { stop_reason: 'max_tokens' }, truncated],
    ['model_context_window_exceeded', { stop_reason: 'model_context_window_exceeded' }, truncated],
    ['pause_turn', { stop_reason: 'pause_turn' }, malformed],
    ['tool_use', { stop_reason: 'tool_use' }, malformed],
    ['stop_sequence', { stop_reason: 'stop_sequence' }, malformed],
    ['no reason', { stop_reason: null }, malformed],
    ['no content', { content: [] }, malformed],
    ['an empty text', { content: [{ type: 'text', text: '' }] }, malformed],
    ['only thoughts', { content: [{ type: 'thinking', thinking: 'hm' }] }, malformed],
    [
      'a tool call beside the text',
      { content: [{ type: 'text', text: '{}' }, { type: 'tool_use' }] },
      malformed,
    ],
    ['a text block without text', { content: [{ type: 'text' }] }, malformed],
    ['content that is a text', { content: '{}' }, malformed],
    ['another type', { type: 'error' }, malformed],
    ['the user’s role', { role: 'user' }, malformed],
    ['no model', { model: null }, malformed],
    ['a model’s name with a line end', { model: 'm\nn' }, malformed],
    ['a model’s name of 129 characters', { model: 'm'.repeat(129) }, malformed],
  ])('with %s is what it is', (_, change, reply) => {
    expect(anthropicApi('k').reply(message(change))).toEqual(reply)
  })
})

const completion = (
  change: Record<string, JsonValue>,
  ofMessage: Record<string, JsonValue> = {},
): JsonValue => ({
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: '{}', refusal: null, ...ofMessage },
      ...change,
    },
  ],
})

describe.each([
  ['OpenAI', openAiApi('k')],
  ['a local server', localApi()],
])('a chat completion of %s', (_, api) => {
  test('is its one choice', () => {
    expect(api.reply(completion({}))).toEqual({ kind: 'completed', text: '{}', model_returned: 'm' })
  })

  test('may leave out the model and the refusal', () => {
    const choices = [{ finish_reason: 'stop', message: { content: '{}' } }]
    expect(api.reply({ choices })).toEqual({ kind: 'completed', text: '{}', model_returned: null })
  })

  test.each<[string, JsonValue, object]>([
    ['a refusal', completion({}, { content: null, refusal: 'No.' }), refused],
    ['a refusal beside content', completion({}, { refusal: 'No.' }), refused],
    ['an empty refusal', completion({}, { refusal: '' }), refused],
    ['length', completion({ finish_reason: 'length' }), truncated],
    ['content_filter', completion({ finish_reason: 'content_filter' }), refused],
    ['tool_calls', completion({ finish_reason: 'tool_calls' }), malformed],
    ['no reason', completion({ finish_reason: null }), malformed],
    ['no content', completion({}, { content: null }), malformed],
    ['empty content', completion({}, { content: '' }), malformed],
    ['content in parts', completion({}, { content: [{ type: 'text', text: '{}' }] }), malformed],
    ['no choice', { model: 'm', choices: [] }, malformed],
    ['an error', { error: { message: 'no' } }, malformed],
    ['a model’s name with a space', { ...(completion({}) as object), model: 'a b' }, malformed],
  ])('with %s is what it is', (_, answer, reply) => {
    expect(api.reply(answer)).toEqual(reply)
  })
})

const generated = (
  candidate: Record<string, JsonValue>,
  change: Record<string, JsonValue> = {},
): JsonValue => ({
  modelVersion: 'm',
  candidates: [{ finishReason: 'STOP', content: { role: 'model', parts: [{ text: '{}' }] }, ...candidate }],
  ...change,
})

describe('an answer of Gemini', () => {
  test('is its parts, without what the model thought', () => {
    const content = {
      parts: [{ text: 'hm', thought: true }, { text: '{"a"' }, { text: ':1}', thoughtSignature: 's' }],
    }
    const reply = geminiApi('k').reply(generated({ content }))
    expect(reply).toEqual({ kind: 'completed', text: '{"a":1}', model_returned: 'm' })
  })

  test.each<[string, JsonValue, object]>([
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, refused],
    ['a prompt blocked for a new reason', { promptFeedback: { blockReason: 'NEW' } }, refused],
    ['SAFETY', generated({ finishReason: 'SAFETY' }), refused],
    ['SAFETY without content', { candidates: [{ finishReason: 'SAFETY' }] }, refused],
    ['RECITATION', generated({ finishReason: 'RECITATION' }), refused],
    ['BLOCKLIST', generated({ finishReason: 'BLOCKLIST' }), refused],
    ['PROHIBITED_CONTENT', generated({ finishReason: 'PROHIBITED_CONTENT' }), refused],
    ['SPII', generated({ finishReason: 'SPII' }), refused],
    ['MAX_TOKENS', generated({ finishReason: 'MAX_TOKENS' }), truncated],
    ['MAX_TOKENS without content', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, truncated],
    ['OTHER', generated({ finishReason: 'OTHER' }), malformed],
    ['MALFORMED_FUNCTION_CALL', generated({ finishReason: 'MALFORMED_FUNCTION_CALL' }), malformed],
    ['no reason', generated({ finishReason: null }), malformed],
    ['no content', { candidates: [{ finishReason: 'STOP' }] }, malformed],
    ['a part that is no text', generated({ content: { parts: [{ functionCall: {} }] } }), malformed],
    ['only thoughts', generated({ content: { parts: [{ text: 'hm', thought: true }] } }), malformed],
    ['no candidate', { candidates: [] }, malformed],
    ['nothing', {}, malformed],
    ['two candidates', { candidates: [{ finishReason: 'SAFETY' }, { finishReason: 'SAFETY' }] }, malformed],
    ['a model’s name with a quote', generated({}, { modelVersion: '"' }), malformed],
  ])('with %s is what it is', (_, answer, reply) => {
    expect(geminiApi('k').reply(answer)).toEqual(reply)
  })
})

const APIS = {
  anthropic: anthropicApi('k'),
  openai: openAiApi('k'),
  gemini: geminiApi('k'),
  local: localApi(),
}

describe.each(Object.entries(APIS))('the API of %s', (_, api) => {
  test('reads whatever JSON comes without a throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (answer) => {
        expect(api.reply(answer as JsonValue)).toEqual(malformed)
      }),
    )
  })

  test('asks for the model and the number of tokens that the request names', () => {
    const { path, body } = api.call({ ...REQUEST, model_id: 'owner/model:1', max_completion_tokens: 77 })
    expect(JSON.stringify([decodeURIComponent(path), body])).toContain('owner/model:1')
    expect(JSON.stringify(body)).toContain('77')
    expect(path).toMatch(/^\/[\w/:.%-]+$/)
  })
})
