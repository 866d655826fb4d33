/** The bytes of padded standard base64 (RFC 4648 §4), or null. Only one spelling of some bytes counts. */
export const fromBase64 = (text: string): Uint8Array | null => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const binary = atob(text)
  // The last character can hold bits that decode to nothing.
  if (btoa(binary) !== text) return null
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
