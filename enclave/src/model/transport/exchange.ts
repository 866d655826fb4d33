/** One POST to a provider, whatever carries it. */
export type ApiRequest = {
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What a server answered. Its text goes to the parser of its API and nowhere else. */
export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly type: string | undefined
  readonly retryAfter: string | undefined
  readonly body: Uint8Array
}

/**
 * Where an exchange broke: `connect`: nothing was sent, another attempt may do better; `identity`: nothing was sent,
 * the peer is not who it must be; `request`: the request may have been read; `reply`: the answer can't be used.
 */
export type Broken = { readonly kind: 'broken'; readonly at: 'connect' | 'identity' | 'request' | 'reply' }

/** How one exchange ended. */
export type Exchange = Answered | Broken

/** Sends one request once. Never rejects, and ends soon after the signal is aborted. */
export type Send = (request: ApiRequest, signal: AbortSignal) => Promise<Exchange>

/** An exchange that broke. */
export const broken = (at: Broken['at']): Broken => ({ kind: 'broken', at })
