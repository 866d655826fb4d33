/** The length of a text in code points: what JSON Schema and CEL count. */
export const codePoints = (text: string): number => Array.from(text).length
