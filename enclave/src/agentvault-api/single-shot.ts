import * as v from 'valibot'
import { acceptInput } from './accept-input.js'
import { type Answer, isRefusal, type Refusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { AbortReason, ApiSession } from './api-session.js'
import { type Call, readMembers } from './call.js'
import { jsonValue } from './json-member.js'
import { openSession } from './open-session.js'

const side = v.strictObject({ role: v.string(), context: jsonValue })
const relayBody = v.strictObject({
  contract: jsonValue,
  input_a: side,
  input_b: side,
  provider: v.nullish(v.string()),
})

/** `POST /relay`: a session of one request, whose sender has both inputs. Nothing of it is kept after the answer. */
export async function singleShot(services: ApiServices, call: Call): Promise<Answer> {
  const body = readMembers(call, relayBody)
  if (isRefusal(body)) return body
  const { contract, provider, input_a, input_b } = body.read
  const agreed = services.admit(contract, provider ?? undefined)
  if (isRefusal(agreed)) return agreed
  const session = openSession(services, agreed)
  if (isRefusal(session)) return session
  try {
    const half = acceptInput(services, session, 0, input_a.context)
    if (isRefusal(half)) return half
    const whole = acceptInput(services, half, 1, input_b.context)
    return isRefusal(whole) ? whole : await ended(services, whole)
  } finally {
    services.table.remove(session.id)
  }
}

async function ended({ table }: ApiServices, { id, phase }: ApiSession): Promise<Answer> {
  if (phase.kind === 'processing') await phase.done
  const now = table.get(id)?.phase
  if (now?.kind !== 'ended') return refuse('api_failed')
  const { abort_reason, output, receipt, receipt_v2 } = now.ending
  if (abort_reason !== null) return failure(abort_reason)
  return { body: { output, receipt, receipt_signature: receipt?.signature ?? null, receipt_v2 } }
}

/** What it says does not depend on what a model said: AgentVault's own text holds pieces of the output. */
function failure(reason: AbortReason): Refusal {
  switch (reason) {
    case 'SCHEMA_VALIDATION':
      return refuse('output_refused')
    case 'POLICY_GATE':
      return refuse('policy_violated')
    case 'CONTRACT_MISMATCH':
      return refuse('contract_refused')
    case 'TIMEOUT':
      return refuse('provider_failed', 'timed out')
    case 'PROVIDER_ERROR':
      return refuse('provider_failed')
  }
}
