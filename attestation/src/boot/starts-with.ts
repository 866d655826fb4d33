/** Whether bytes begin with a text in ASCII. */
export const startsWith = (data: Uint8Array, text: string): boolean =>
  data.length >= text.length && Array.from(text).every((char, at) => data[at] === char.charCodeAt(0))
