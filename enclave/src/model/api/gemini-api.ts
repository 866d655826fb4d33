import * as v from 'valibot'
import { geminiSchema } from '../schema/gemini-schema.js'
import type { ProviderApi } from './provider-api.js'
import { completed, failed, modelName, readReply, REFUSED, TRUNCATED } from './reply.js'

const part = v.object({ text: v.optional(v.string()), thought: v.optional(v.boolean(), false) })

const candidate = v.object({
  finishReason: v.string(),
  content: v.optional(v.object({ parts: v.optional(v.array(part), []) }), { parts: [] }),
})

const generated = v.object({
  modelVersion: v.optional(v.nullable(modelName), null),
  promptFeedback: v.optional(v.object({ blockReason: v.optional(v.string()) }), {}),
  candidates: v.optional(v.pipe(v.array(candidate), v.maxLength(1)), []),
})

type Candidate = v.InferOutput<typeof candidate>

/** Reasons for which the provider itself holds an answer back. */
const BLOCKED: readonly string[] = ['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII']

/**
 * Gemini's generateContent with a JSON schema. The key travels in a header, not in the URL.
 * @see https://ai.google.dev/api/generate-content
 */
export const geminiApi = (key: string | null): ProviderApi => ({
  call: ({ system, user, output_schema, model_id, max_completion_tokens }) => ({
    path: `/v1beta/models/${encodeURIComponent(model_id)}:generateContent`,
    headers: key === null ? {} : { 'x-goog-api-key': key },
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: {
        candidateCount: 1,
        maxOutputTokens: max_completion_tokens,
        responseMimeType: 'application/json',
        responseJsonSchema: geminiSchema(output_schema),
      },
    },
  }),
  reply: (answer) =>
    readReply(generated, answer, ({ promptFeedback, candidates: [only], modelVersion }) => {
      if (promptFeedback.blockReason !== undefined) return REFUSED
      return only === undefined ? failed('malformed') : said(only, modelVersion)
    }),
})

const said = ({ finishReason, content }: Candidate, model: string | null) => {
  if (BLOCKED.includes(finishReason)) return REFUSED
  if (finishReason === 'MAX_TOKENS') return TRUNCATED
  const spoken = content.parts.filter(({ thought }) => !thought)
  // A function call or a file was not asked for.
  if (finishReason !== 'STOP' || spoken.some(({ text }) => text === undefined)) return failed('malformed')
  return completed(spoken.map(({ text }) => text ?? '').join(''), model)
}
