/** A gate's no: a closed code and the JSON pointer (RFC 6901) of its cause; '' points at the whole. */
export type Refused<Code extends string> = {
  readonly ok: false
  readonly code: Code
  readonly pointer: string
}

/** Says no. */
export const refused = <Code extends string>(code: Code, pointer: string): Refused<Code> => ({
  ok: false,
  code,
  pointer,
})

/** The same no, seen from an object that holds the refused one at `base`. */
export const below = <Code extends string>(base: string, inner: Refused<Code>): Refused<Code> =>
  refused(inner.code, base + inner.pointer)
