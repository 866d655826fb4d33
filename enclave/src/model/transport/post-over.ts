import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { type ApiRequest, broken, type Exchange } from './exchange.js'

/** The largest answer that is read, in octets: many times what the largest output takes. */
export const MAX_ANSWER_BYTES = 1_048_576
const MAX_HEADER_BYTES = 32_768

/**
 * Sends one request over a channel and reads the one answer. Nothing is followed, repeated or kept: a redirect is an
 * answer like another. Never rejects.
 * @param authority what the server is called
 */
export const postOver = async (
  channel: Socket,
  authority: string,
  { path, headers, body }: ApiRequest,
): Promise<Exchange> => {
  const exchange = await new Promise<Exchange>((resolve) => {
    const outgoing = request({
      method: 'POST',
      path,
      headers: {
        ...headers,
        host: authority,
        accept: headers['accept'] ?? 'application/json',
        'accept-encoding': 'identity',
        'content-length': body.length,
      },
      maxHeaderSize: MAX_HEADER_BYTES,
      // Instead of an agent, so that nothing of the environment chooses another way.
      createConnection: () => channel,
    })
    outgoing.on('error', () => {
      resolve(broken('request'))
    })
    // Node leaves it without an error where nobody listens.
    outgoing.on('upgrade', () => {
      resolve(broken('request'))
    })
    outgoing.on('response', (incoming) => {
      readAnswer(incoming).then(resolve, () => {
        resolve(broken('request'))
      })
    })
    outgoing.end(body)
  })
  channel.destroy()
  return exchange
}

const readAnswer = async (incoming: IncomingMessage): Promise<Exchange> => {
  const { statusCode = 0, headers } = incoming
  if (headers['content-encoding'] !== undefined) return broken('reply')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of incoming) {
    if (!(chunk instanceof Uint8Array)) return broken('reply')
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) return broken('reply')
    chunks.push(chunk)
  }
  return {
    kind: 'answered',
    status: statusCode,
    type: headers['content-type'],
    retryAfter: headers['retry-after'],
    body: Buffer.concat(chunks),
  }
}
