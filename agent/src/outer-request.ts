import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { MAX_MESSAGE_BYTES } from '@parley/protocol'
import { AgentError } from './agent-error.js'

/** What is sent in clear to the proxy: a sealed message, or a nonce. */
export type OuterRequest = { readonly url: string; readonly type: string; readonly body: Uint8Array }

/** What came back, in clear. */
export type OuterAnswer = { readonly status: number; readonly type: string; readonly body: Uint8Array }

/** Beyond the 30 seconds that a relay may hold a poll. */
const TIMEOUT_MS = 60_000

// Connections that rest end before a server of Node ends them, after 5 seconds: no request is to run into that.
const POOL = { keepAlive: true, timeout: 3_000 }
const plain = new PlainAgent(POOL)
const tls = new TlsAgent(POOL)

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * Posts once. There is no second attempt and no redirect: whether a request that failed has reached the relay is
 * unknown, and only the caller may decide to ask again. It is node:http because `fetch` takes twice the CPU time.
 * @throws AgentError `relay_unreachable`, `answer_malformed` (an answer over 2 MiB)
 */
export const postOnce = async (asked: OuterRequest): Promise<OuterAnswer> => {
  try {
    return await send(asked)
  } catch (error) {
    if (error instanceof AgentError) throw error
    throw new AgentError('relay_unreachable', 'no whole answer came from the relay')
  }
}

const send = ({ url, type, body }: OuterRequest): Promise<OuterAnswer> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': body.length }
    // The pool's time is for connections that rest: none of it counts while an answer is waited for.
    const options = { method: 'POST', headers, timeout: 0 }
    const target = new URL(url)
    if (target.username !== '' || target.password !== '') throw new Error('an address with a user')
    const asked =
      target.protocol === 'https:'
        ? tlsRequest(target, { ...options, agent: tls })
        : plainRequest(target, { ...options, agent: plain })
    const timer = setTimeout(() => asked.destroy(), TIMEOUT_MS)
    asked.on('response', (incoming) => {
      incoming.on('error', reject)
      if (REDIRECTS.includes(incoming.statusCode ?? 0)) asked.destroy(new Error('a redirect'))
      else readBounded(incoming, resolve)
    })
    asked.on('error', reject)
    asked.on('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection is closed'))
    })
    asked.end(body)
  })

const readBounded = (incoming: IncomingMessage, whole: (answer: OuterAnswer) => void): void => {
  const { statusCode: status = 0, headers } = incoming
  const chunks: Uint8Array[] = []
  let length = 0
  incoming.on('data', (chunk: Uint8Array) => {
    length += chunk.length
    if (length > MAX_MESSAGE_BYTES)
      incoming.destroy(new AgentError('answer_malformed', 'an answer is over 2 MiB'))
    else chunks.push(chunk)
  })
  incoming.on('end', () => {
    whole({ status, type: headers['content-type'] ?? '', body: Buffer.concat(chunks, length) })
  })
}
