import * as v from 'valibot'
import { anthropicSchema } from '../schema/anthropic-schema.js'
import type { ProviderApi } from './provider-api.js'
import { completed, failed, modelName, readReply, REFUSED, TRUNCATED } from './reply.js'

const API_VERSION = '2023-06-01'

const message = v.object({
  type: v.literal('message'),
  role: v.literal('assistant'),
  model: modelName,
  stop_reason: v.string(),
  content: v.array(v.object({ type: v.string(), text: v.optional(v.string()) })),
})

type Message = v.InferOutput<typeof message>

/** Blocks in which a model thinks aloud: no part of what it says. */
const THOUGHTS: readonly string[] = ['thinking', 'redacted_thinking']

/**
 * Anthropic's Messages API with structured outputs. No sampling option is sent: its current models refuse them.
 * @see https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
export const anthropicApi = (key: string | null): ProviderApi => ({
  call: ({ system, user, output_schema, model_id, max_completion_tokens }) => ({
    path: '/v1/messages',
    headers: { ...(key === null ? {} : { 'x-api-key': key }), 'anthropic-version': API_VERSION },
    body: {
      model: model_id,
      max_tokens: max_completion_tokens,
      system,
      messages: [{ role: 'user', content: user }],
      output_config: { format: { type: 'json_schema', schema: anthropicSchema(output_schema) } },
    },
  }),
  reply: (answer) =>
    readReply(message, answer, (read) => {
      switch (read.stop_reason) {
        case 'end_turn':
          return said(read)
        case 'refusal':
          return REFUSED
        case 'max_tokens':
        case 'model_context_window_exceeded':
          return TRUNCATED
        default:
          return failed('malformed')
      }
    }),
})

const said = ({ content, model }: Message) => {
  const spoken = content.filter(({ type }) => !THOUGHTS.includes(type))
  // A tool call or a citation was not asked for.
  if (spoken.some(({ type, text }) => type !== 'text' || text === undefined)) return failed('malformed')
  return completed(spoken.map(({ text }) => text ?? '').join(''), model)
}
