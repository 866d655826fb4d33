import { MOST_RESPONSE_BYTES } from '@parley/guardian'
import { JSON_TYPE } from '@parley/protocol'

/** Where a task goes, and until when its whole answer must be there. */
export type TaskPost = { readonly url: string; readonly body: Uint8Array; readonly deadlineMs: number }

/**
 * Posts a task once. No second attempt and no redirect: whether one that failed was received is unknown, and only the
 * caller may decide to ask again.
 * @returns the answer's octets, of which one more than allowed at the most; null where none came, or another than 200
 */
export const postTask = async ({ url, body, deadlineMs }: TaskPost): Promise<Uint8Array | null> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': JSON_TYPE },
      body: new Uint8Array(body),
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    })
    if (response.status === 200) return await readBounded(response)
    await response.body?.cancel()
    return null
  } catch {
    return null
  }
}

const readBounded = async ({ body }: Response): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MOST_RESPONSE_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MOST_RESPONSE_BYTES + 1)
}
