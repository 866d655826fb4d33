import { MAX_MESSAGE_BYTES } from '@parley/protocol'
import { AgentError } from './agent-error.js'

/** What is sent in clear to the proxy: a sealed message, or a nonce. */
export type OuterRequest = { readonly url: string; readonly type: string; readonly body: Uint8Array }

/** What came back, in clear. */
export type OuterAnswer = { readonly status: number; readonly type: string; readonly body: Uint8Array }

/** Beyond the 30 seconds that a relay may hold a poll. */
const TIMEOUT_MS = 60_000

/**
 * Posts once. There is no second attempt and no redirect: whether a request that failed has reached the relay is
 * unknown, and only the caller may decide to ask again.
 * @throws AgentError `relay_unreachable`, `answer_malformed` (an answer over 2 MiB)
 */
export const postOnce = async ({ url, type, body }: OuterRequest): Promise<OuterAnswer> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const answer = await readBounded(response)
    return { status: response.status, type: response.headers.get('content-type') ?? '', body: answer }
  } catch (error) {
    if (error instanceof AgentError) throw error
    throw new AgentError('relay_unreachable', 'no whole answer came from the relay')
  }
}

const readBounded = async ({ body }: Response): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_MESSAGE_BYTES) throw new AgentError('answer_malformed', 'an answer is over 2 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
