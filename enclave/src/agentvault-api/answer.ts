import type { JsonObject } from '@parley/protocol'

/** Why a request is refused, with the status and the text that AgentVault's relay has for it. */
const REFUSALS = {
  contract_refused: [400, 'Contract validation failed'],
  request_malformed: [400, 'Malformed request'],
  unauthorized: [401, 'UNAUTHORIZED'],
  route_unknown: [404, 'Not found'],
  method_refused: [405, 'Method not allowed'],
  invite_conflict: [409, 'Invite state conflict'],
  too_large: [413, 'Request too large'],
  type_refused: [415, 'Expected application/json'],
  members_refused: [422, 'Malformed request'],
  output_refused: [422, 'Output schema validation failed'],
  policy_violated: [422, 'OUTPUT_POLICY_VIOLATION'],
  rate_limited: [429, 'RATE_LIMITED'],
  api_failed: [500, 'Internal error'],
  provider_failed: [502, 'Provider error'],
  unavailable: [503, 'SERVICE_UNAVAILABLE'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>

/** A refusal of this API. */
export type Refusal = {
  readonly refused: keyof typeof REFUSALS
  /** Names, numbers and pointers for the asker; never bytes of an input or an output. */
  readonly detail?: string
}

/** What a handler says. */
export type Answer = { readonly body: JsonObject } | { readonly stream: ReadableStream<Uint8Array> } | Refusal

/** Says no. */
export const refuse = (refused: Refusal['refused'], detail?: string): Refusal =>
  detail === undefined ? { refused } : { refused, detail }

/** Whether a step said no. */
export const isRefusal = (value: object): value is Refusal => 'refused' in value

/** The status of a refusal, and its one body shape. */
export function refusalBody({ refused, detail }: Refusal): {
  readonly status: number
  readonly body: JsonObject
} {
  const [status, text] = REFUSALS[refused]
  return { status, body: { error: detail === undefined ? text : `${text}: ${detail}` } }
}
