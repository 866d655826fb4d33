import { fitsStrictMode, openAiSchema } from '../schema/openai-schema.js'
import { readChatCompletion } from './chat-completion.js'
import type { ProviderApi } from './provider-api.js'

/**
 * OpenAI's chat completions with structured outputs, as others serve them too. No sampling option is sent, since
 * reasoning models refuse them, and nothing is to be stored.
 * @see https://platform.openai.com/docs/guides/structured-outputs
 */
export const openAiApi = (key: string | null): ProviderApi => ({
  call: ({ system, user, output_schema, model_id, max_completion_tokens }) => {
    const schema = openAiSchema(output_schema)
    return {
      path: '/v1/chat/completions',
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      body: {
        model: model_id,
        max_completion_tokens,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'output', strict: fitsStrictMode(schema), schema },
        },
        store: false,
      },
    }
  },
  reply: readChatCompletion,
})
