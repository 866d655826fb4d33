import { checkInput, MOST_INPUT_BYTES } from '@parley/guardian'
import { canonicalBytes, hash, type JsonValue } from '@parley/protocol'
import type { AgreedContract } from './agreed-contract.js'
import { type Refusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import type { Accepted, ApiSession } from './api-session.js'
import { processSession } from './process-session.js'
import type { SeatIndex } from './session-tokens.js'

/** Takes a participant's input; with the second one the evaluation begins. */
export function acceptInput(
  services: ApiServices,
  session: ApiSession,
  seat: SeatIndex,
  context: JsonValue,
): ApiSession | Refusal {
  // Each submit token works once.
  if (session.accepted[seat] !== null) return refuse('unauthorized')
  if (session.phase.kind !== 'waiting') return refuse('contract_refused', 'session not accepting inputs')
  const opened = canonicalBytes(context)
  const bytes = opened.length
  const no = inputRefusal(session.agreed, seat, context, bytes)
  if (no !== undefined) return no
  if (!services.table.hasRoomForInput(bytes)) return refuse('unavailable')
  const accepted = { input_hash: hash(context), bytes, at: services.clock.nowSeconds() }
  const next = withInput(session, seat, accepted, opened)
  const inputs = next.phase.kind === 'waiting' ? next.phase.contexts : []
  const [initiator, responder] = inputs
  if (initiator !== undefined && responder !== undefined)
    return processSession(services, next, [initiator, responder])
  services.table.put(next)
  return next
}

function inputRefusal(
  { admitted }: AgreedContract,
  seat: SeatIndex,
  context: JsonValue,
  bytes: number,
): Refusal | undefined {
  if (admitted.evaluator === 'cel' && bytes > MOST_INPUT_BYTES)
    return refuse('contract_refused', `input is over ${MOST_INPUT_BYTES} octets`)
  const shape = admitted.inputs?.[seat === 0 ? 'initiator' : 'responder']
  const checked = shape === undefined ? undefined : checkInput(shape, context)
  // The pointer names members that the schema declares: nothing of the input.
  return checked?.ok === false
    ? refuse('contract_refused', `input: ${checked.code} ${checked.pointer}`)
    : undefined
}

function withInput(session: ApiSession, seat: SeatIndex, accepted: Accepted, opened: Uint8Array): ApiSession {
  const { phase } = session
  if (phase.kind !== 'waiting') return session
  const put = <T>([first, second]: readonly [T, T], value: T): readonly [T, T] =>
    seat === 0 ? [value, second] : [first, value]
  return {
    ...session,
    accepted: put<Accepted | null>(session.accepted, accepted),
    phase: { ...phase, contexts: put<Uint8Array | undefined>(phase.contexts, opened) },
  }
}
