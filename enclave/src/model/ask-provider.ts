import { canonicalBytes, JSON_TYPE } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { ProviderApi } from './api/provider-api.js'
import { failed } from './api/reply.js'
import { type Attempt, judgeExchange } from './judge-exchange.js'
import type { ModelProvider, ModelReply, ProviderName } from './model-provider.js'
import { retryDelayMs } from './retry-delay.js'
import { type ApiRequest, broken, type Send } from './transport/exchange.js'
import { type Deadline, whenAborted, whenOver } from './transport/when-over.js'

/** How long a relay bears with a provider. */
export type Patience = {
  /** For a whole call, all attempts and waits together. */
  readonly totalMs: number
  readonly attempts: number
}

/** Two minutes and three attempts. */
const PATIENCE: Patience = { totalMs: 120_000, attempts: 3 }

/** What a provider is made of. */
export type ProviderParts = {
  readonly name: ProviderName
  readonly api: ProviderApi
  readonly send: Send
  readonly clock: Clock
  readonly random: (size: number) => Uint8Array
  readonly patience?: Patience
}

/**
 * A provider that is asked over one API and one way. A call is repeated only where no connection was made, the
 * provider is over its rate, or it failed; and it ends at its deadline, by the relay's clock, whatever is under way.
 */
export const openProvider = (parts: ProviderParts): ModelProvider => ({
  name: parts.name,
  complete: async (request, signal) => {
    const { path, headers, body } = parts.api.call(request)
    const asked = { path, headers: { ...headers, 'content-type': JSON_TYPE }, body: canonicalBytes(body) }
    const deadline = whenOver(parts.clock, (parts.patience ?? PATIENCE).totalMs)
    const reply = await attempt(asked, parts, deadline, AbortSignal.any([signal, deadline.signal]))
    // What comes at the end is as late as what comes after it.
    return signal.aborted || deadline.leftMs() <= 0 ? failed('deadline') : reply
  },
})

const attempt = async (
  request: ApiRequest,
  parts: ProviderParts,
  deadline: Deadline,
  over: AbortSignal,
): Promise<ModelReply> => {
  const { attempts: most } = parts.patience ?? PATIENCE
  const isOver = (): boolean => over.aborted
  for (let attempts = 1; ; attempts++) {
    const sent = await Promise.race([parts.send(request, over), whenAborted(over)])
    const made = judgeExchange(sent ?? broken('request'), parts.api)
    if (!made.mayRetry || attempts === most || isOver()) return made.reply
    const delayMs = delayOf(made, attempts, parts)
    // To wait for nothing would only hide why it failed.
    if (delayMs >= deadline.leftMs()) return made.reply
    await Promise.race([parts.clock.sleepUntil(parts.clock.nowMs() + delayMs), whenAborted(over)])
    if (isOver()) return made.reply
  }
}

const delayOf = ({ retryAfter }: Attempt, attempts: number, { clock, random }: ProviderParts): number =>
  retryDelayMs({ attempts, retryAfter, nowSeconds: clock.nowSeconds(), random })
