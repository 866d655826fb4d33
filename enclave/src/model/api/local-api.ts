import { localSchema } from '../schema/local-schema.js'
import { readChatCompletion } from './chat-completion.js'
import type { ProviderApi } from './provider-api.js'

/**
 * Chat completions of a model server in the same machine, such as llama.cpp's. Its sampling is ours to choose: none.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
export const localApi = (): ProviderApi => ({
  call: ({ system, user, output_schema, model_id, max_completion_tokens }) => ({
    path: '/v1/chat/completions',
    headers: {},
    body: {
      model: model_id,
      max_tokens: max_completion_tokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'output', strict: true, schema: localSchema(output_schema) },
      },
      temperature: 0,
      seed: 0,
      stream: false,
    },
  }),
  reply: readChatCompletion,
})
