/** One exchange that was made: what was posted, and how much came back. */
export type Exchange = { readonly body: Uint8Array<ArrayBuffer>; readonly answerBytes: number }

/** Records what is posted with `fetch`, by whatever module of this process, while something runs. */
export async function recordExchanges(run: () => Promise<void>): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  const original = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    const response = await original(url, init)
    const answer = await response.clone().arrayBuffer()
    const body = init?.body
    if (body instanceof Uint8Array)
      exchanges.push({ body: new Uint8Array(body), answerBytes: answer.byteLength })
    return response
  }
  try {
    await run()
  } finally {
    globalThis.fetch = original
  }
  return exchanges
}
