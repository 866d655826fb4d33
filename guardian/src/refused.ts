/** A gate's no: a closed code and the JSON pointer (RFC 6901) of its cause; '' points at the whole. */
export type Refused<Code extends string> = {
  readonly ok: false
  readonly code: Code
  readonly pointer: string
  /** The figures that decided, for the asker's eyes: counts, bounds and names of its own contract, never input. */
  readonly detail?: string
}

/** Says no. */
export const refused = <Code extends string>(
  code: Code,
  pointer: string,
  detail?: string,
): Refused<Code> => ({ ok: false, code, pointer, ...(detail === undefined ? {} : { detail }) })

/** The same no, seen from an object that holds the refused one at `base`. */
export const below = <Code extends string>(base: string, inner: Refused<Code>): Refused<Code> => ({
  ...inner,
  pointer: base + inner.pointer,
})

/**
 * A no in one line: `CODE POINTER`, or `CODE (FIGURES) POINTER`. The pointer comes last, since it may be long: whoever
 * cuts the line keeps the rest.
 */
export const describeRefused = ({ code, detail, pointer }: Refused<string>): string =>
  `${code}${detail === undefined ? '' : ` (${detail})`} ${pointer}`
