import { assemblePrompt, evaluateProgram, guardDraft, promptDigest } from '@parley/guardian'
import { type JsonValue, parseCanonicalJson, toHex } from '@parley/protocol'
import { parseDraft } from '../release/parse-draft.js'
import type { AgreedContract } from './agreed-contract.js'
import type { AbortReason } from './api-session.js'

/** What came of two inputs; `promptHash` is null where no prompt was assembled. */
export type EvaluationResult =
  | { readonly ok: true; readonly output: JsonValue; readonly promptHash: string | null }
  | {
      readonly ok: false
      readonly reason: AbortReason
      readonly promptHash: string | null
    }

/** The end of a session that took too long. */
export const TIMED_OUT: EvaluationResult = { ok: false, reason: 'TIMEOUT', promptHash: null }

type Random = { readonly random: (size: number) => Uint8Array }
/** Canonical bytes, read where they are used: a model may be asked for minutes. */
type Inputs = readonly [Uint8Array, Uint8Array]

type Values = readonly [JsonValue, JsonValue]

const read = ([initiator, responder]: Inputs): Values => [
  parseCanonicalJson(initiator),
  parseCanonicalJson(responder),
]

/** Evaluates and guards. Never rejects: what went wrong inside may be about an input, and ends here. */
export async function evaluateInputs(
  services: Random,
  agreed: AgreedContract,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  try {
    return agreed.admitted.program === null
      ? await byModel(services, agreed, inputs, signal)
      : byProgram(agreed, inputs)
  } catch {
    return providerError(null)
  }
}

function byProgram(agreed: AgreedContract, inputs: Inputs): EvaluationResult {
  const { program } = agreed.admitted
  if (program === null) return providerError(null)
  const values = read(inputs)
  const [initiator, responder] = values
  const evaluation = evaluateProgram(program, { initiator, responder })
  return evaluation.ok ? guarded(agreed, values, evaluation.value, null) : providerError(null)
}

async function byModel(
  { random }: Random,
  agreed: AgreedContract,
  inputs: Inputs,
  signal: AbortSignal,
): Promise<EvaluationResult> {
  const { admitted, provider, maxCompletionTokens } = agreed
  const { model, contract, output_schema } = admitted
  if (model === null || provider === null) return providerError(null)
  const delimiter = toHex(random(32))
  const prompt = assemblePrompt({
    program: model.promptProgram,
    contract,
    outputSchema: output_schema,
    inputs: read(inputs),
    delimiter,
  })
  const promptHash = promptDigest(prompt)
  const reply = await provider.complete(
    {
      ...prompt,
      output_schema,
      model_id: model.profile.model_id,
      max_completion_tokens: maxCompletionTokens,
    },
    signal,
  )
  // A refusal, a truncation and a failure have one name there.
  if (reply.kind !== 'completed') return providerError(promptHash)
  const draft = parseDraft(reply.text)
  return draft === undefined
    ? { ok: false, reason: 'SCHEMA_VALIDATION', promptHash }
    : guarded(agreed, read(inputs), draft.json, promptHash)
}

function guarded(
  { admitted }: AgreedContract,
  inputs: Values,
  draft: JsonValue,
  promptHash: string | null,
): EvaluationResult {
  const decision = guardDraft({ shape: admitted.output, policy: admitted.policy, draft, inputs })
  if (decision.ok) return { ok: true, output: decision.output, promptHash }
  const reason = decision.code === 'output_refused' ? 'POLICY_GATE' : 'SCHEMA_VALIDATION'
  return { ok: false, reason, promptHash }
}

const providerError = (promptHash: string | null): EvaluationResult => ({
  ok: false,
  reason: 'PROVIDER_ERROR',
  promptHash,
})
