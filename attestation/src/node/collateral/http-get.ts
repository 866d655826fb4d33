/** What a server answered. */
export type HttpAnswer = {
  readonly status: number
  /** The header Retry-After. */
  readonly retryAfter: string | null
  readonly body: Uint8Array
}

/** Bounds of one request. */
export type HttpLimits = { readonly timeoutMs: number; readonly maxBytes: number }

/** One GET. Fails, with whatever error, where there was no answer within its bounds. */
export type HttpGet = (url: string, limits: HttpLimits) => Promise<HttpAnswer>

const readBody = async (body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) throw new Error(`an answer has over ${maxBytes} bytes`)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}

/** By the fetch of this process. A redirect is an answer, not a place to go to. */
export const httpGet: HttpGet = async (url, { timeoutMs, maxBytes }) => {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  const { status, headers } = answer
  return { status, retryAfter: headers.get('retry-after'), body: await readBody(answer.body, maxBytes) }
}
