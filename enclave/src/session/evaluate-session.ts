import type { AdmittedModel } from '@parley/guardian'
import { toHex } from '@parley/protocol'
import { hostEntity } from '../effects/effect-resources.js'
import type { SessionEffects } from '../effects/session-effects.js'
import type { ModelRequest } from '../model/model-provider.js'
import type { Asked, ModelService } from '../model/model-service.js'
import { whenAborted, whenOver } from '../model/transport/when-over.js'
import { aborted, type EvaluationJob, type Release } from '../release/release.js'
import type { Agreement } from './agreement.js'
import type { Services } from './services.js'
import { modelEndsAtMs } from './slots.js'

/** A session's agreement, and all of its inputs. */
export type SessionToEvaluate = {
  readonly agreement: Agreement
  /** Canonical bytes, in role order. */
  readonly inputs: EvaluationJob['inputs']
  /** When the last input was accepted, on the monotonic clock. */
  readonly acceptedMs: number
}

const DELIMITER_BYTES = 32
/** Where neither contract nor policy states a cap. */
const MOST_COMPLETION_TOKENS = 4096

/**
 * Lets the contract's program or its model make a draft, and the guardian judge it. One session waits for its model;
 * nobody else does.
 * @throws RelayError evaluator_failed
 */
export const evaluateSession = async (
  services: Services,
  effects: SessionEffects,
  asked: SessionToEvaluate,
): Promise<Release> => {
  const { agreement, inputs } = asked
  const { contractBytes, admitted, service } = agreement
  const { output, policy, model } = admitted
  return model === null || service === null
    ? services.evaluator.evaluate({ contractBytes, output, policy, inputs })
    : byModel(services, effects, asked, { model, service })
}

const byModel = async (
  services: Services,
  effects: SessionEffects,
  asked: SessionToEvaluate,
  { model, service }: { readonly model: AdmittedModel; readonly service: ModelService },
): Promise<Release> => {
  const request = await requestOf(services, asked, model)
  if (request === null) return aborted('EVALUATION_FAILED')
  const ask = (): Promise<Asked> => answerOf(services, asked, service, request)
  const { reply, evidence } = await askedOver(services, effects, service, ask)
  const { output, policy } = asked.agreement.admitted
  // A local server's word on its model would be a channel that nobody counts: its file's hash is what it is known by.
  const model_returned = reply.kind === 'completed' && service.fileHash === null ? reply.model_returned : null
  const release =
    reply.kind === 'completed'
      ? await services.evaluator.judge({ output, policy, inputs: asked.inputs, text: reply.text })
      : aborted(ENDS[reply.kind])
  return { ...release, asked: { model_returned, provider_evidence: evidence } }
}

const ENDS = { refused: 'MODEL_REFUSED', truncated: 'MODEL_TRUNCATED', failed: 'PROVIDER_FAILED' } as const

/** The delimiter is drawn here, when no input can know it any more. */
const requestOf = async (
  { evaluator, random }: Services,
  { agreement: { contractBytes, admitted }, inputs }: SessionToEvaluate,
  { promptProgram, profile, maxCompletionTokens }: AdmittedModel,
): Promise<ModelRequest | null> => {
  const { output_schema } = admitted
  const delimiter = toHex(random(DELIMITER_BYTES))
  const job = { contractBytes, inputs, promptProgram, outputSchema: output_schema, delimiter }
  const prompt = await evaluator.assemble(job)
  if (prompt === null) return null
  const { model_id } = profile
  return {
    ...prompt,
    output_schema,
    model_id,
    max_completion_tokens: maxCompletionTokens ?? MOST_COMPLETION_TOKENS,
  }
}

/** A call that leaves the machine is an effect of its own; where it may not be, it came to nothing. */
const askedOver = async (
  { bundle }: Services,
  effects: SessionEffects,
  service: ModelService,
  ask: () => Promise<Asked>,
): Promise<Asked> => {
  if (service.host === null) return ask()
  const resource = hostEntity(bundle.data, service, service.host)
  const performed = await effects.perform({ effect: 'egress', resource }, ask)
  return performed.kind === 'done' ? performed.value : FAILED
}

const FAILED: Asked = { reply: { kind: 'failed', cause: 'deadline' }, evidence: null }

const answerOf = async (
  { clock, stop, bundle }: Services,
  { acceptedMs }: SessionToEvaluate,
  service: ModelService,
  request: ModelRequest,
): Promise<Asked> => {
  const over = whenOver(clock, modelEndsAtMs(bundle.limits, acceptedMs) - clock.nowMs())
  const signal = AbortSignal.any([over.signal, stop.signal])
  // A session never waits longer, whatever becomes of the call.
  const late = whenAborted(signal).then(() => FAILED)
  const asked = await Promise.race([service.ask(request, signal).catch(() => FAILED), late])
  // What comes at the end is as late as what comes after it.
  return over.leftMs() <= 0 ? FAILED : asked
}
