import { CLASSIFICATIONS, type PolicyEntity, type PolicyQuestion } from '@parley/guardian'
import { type JsonValue, recordOf } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const entity = v.strictObject({
  type: text,
  id: text,
  attributes: v.optional(
    recordOf<string | number | boolean | string[]>(
      text,
      v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]),
    ),
    {},
  ),
})
const question = v.strictObject({
  principal: entity,
  /** On whose authority the principal acts. */
  delegation: v.optional(v.array(entity), []),
  action: text,
  resource: entity,
  purpose: text,
  classification: v.picklist(CLASSIFICATIONS),
  recipients: v.optional(v.array(text), []),
})

/** A question to a policy, and on whose authority it is asked. */
export type AskedQuestion = PolicyQuestion & { readonly delegation: readonly PolicyEntity[] }

/** Reads a question. @throws AgentError `argument_invalid`, naming the member */
export const parseQuestion = (value: JsonValue): AskedQuestion => {
  const result = v.safeParse(question, value, { abortEarly: true })
  if (result.success) return result.output
  throw new AgentError('argument_invalid', `question: member ${v.getDotPath(result.issues[0]) ?? '(root)'}`)
}
