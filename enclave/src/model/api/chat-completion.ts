import type { JsonValue } from '@parley/protocol'
import * as v from 'valibot'
import type { ModelReply } from '../model-provider.js'
import { completed, failed, modelName, readReply, REFUSED, TRUNCATED } from './reply.js'

const chatCompletion = v.object({
  model: v.optional(v.nullable(modelName), null),
  choices: v.tuple([
    v.object({
      finish_reason: v.string(),
      message: v.object({
        content: v.optional(v.nullable(v.string()), null),
        refusal: v.optional(v.nullable(v.string()), null),
      }),
    }),
  ]),
})

/** What a chat completion says. @see https://platform.openai.com/docs/api-reference/chat/object */
export const readChatCompletion = (answer: JsonValue): ModelReply =>
  readReply(chatCompletion, answer, ({ model, choices: [{ finish_reason, message }] }) => {
    // A refusal ends with `stop` like an answer does.
    if (message.refusal !== null) return REFUSED
    switch (finish_reason) {
      case 'stop':
        return completed(message.content ?? '', model)
      case 'length':
        return TRUNCATED
      case 'content_filter':
        return REFUSED
      default:
        return failed('malformed')
    }
  })
