import { canonicalize, type JsonValue } from '@parley/protocol'

/** What a reader may take for the end of a line, what stays unseen, and what turns the direction of the rest. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * The canonical JSON of a value on one line: JCS escapes the controls below U+0020, this the other characters that
 * could look like a line's end or stay unseen. A JSON parser reads the same value from it.
 */
export const oneLineJson = (value: JsonValue): string => canonicalize(value).replace(MISLEADING, escaped)

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
