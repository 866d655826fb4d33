/** A field line: a lower-case name, and a value of visible ASCII, spaces and tabs. */
export type HeaderField = readonly [name: string, value: string]

/** An HTTP request as it stands inside the encapsulation. @see RFC 9292 §3.4 */
export type HttpRequest = {
  readonly method: string
  readonly scheme: string
  readonly authority: string
  /** Path and query. */
  readonly path: string
  readonly headers: readonly HeaderField[]
  readonly content: Uint8Array
}

/** A final HTTP response as it stands inside the encapsulation. @see RFC 9292 §3.5 */
export type HttpResponse = {
  /** 200 to 599. */
  readonly status: number
  readonly headers: readonly HeaderField[]
  readonly content: Uint8Array
}

/** All values of the fields of one lower-case name, in order. */
export const fieldValues = (headers: readonly HeaderField[], name: string): string[] =>
  headers.filter(([known]) => known === name).map(([, value]) => value)
