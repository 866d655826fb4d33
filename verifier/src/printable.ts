/**
 * A text from a stranger, fit for a terminal: everything but printable ASCII is spelt out, so that no control
 * sequence or look-alike can rewrite the verdict above it.
 */
export const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

/**
 * A value as one JSON document in printable ASCII: the same value to whoever parses it, and nothing that a terminal
 * obeys (JSON itself lets C1 controls and marks of direction stand).
 */
export const asciiJson = (value: object): string =>
  `${JSON.stringify(value, null, 2).replace(/[\u007f-\uffff]/g, escaped)}\n`

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
