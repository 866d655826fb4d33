import { isJsonObject, OHTTP_KEY_PROBLEM, parseJson, PROBLEM_TYPE } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { OuterAnswer } from './outer-request.js'

/** The error of an answer in clear that is not 200. Nobody vouches for such an answer, so it is only a hint. */
export const outerRefusal = (answer: OuterAnswer): AgentError =>
  isUnknownKey(answer)
    ? new AgentError('gateway_key_unknown', 'no relay there holds the key that was sealed to')
    : new AgentError('gateway_refused', `the answer in clear is ${answer.status}`)

const isUnknownKey = ({ status, type, body }: OuterAnswer): boolean => {
  if (status !== 400 || type !== PROBLEM_TYPE) return false
  try {
    const problem = parseJson(body)
    return isJsonObject(problem) && problem['type'] === OHTTP_KEY_PROBLEM
  } catch {
    return false
  }
}
