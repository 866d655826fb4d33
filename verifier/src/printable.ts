/**
 * A text from a stranger, fit for a terminal: everything but printable ASCII is spelt out, so that no control
 * sequence or look-alike can rewrite the verdict above it.
 */
export const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
