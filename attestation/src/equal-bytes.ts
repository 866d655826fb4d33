/** Whether two byte strings are the same. Only public values are compared here, so time may depend on them. */
export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

/** Whether a byte string holds nothing but zeros. */
export const isZero = (bytes: Uint8Array): boolean => {
  for (const byte of bytes) if (byte !== 0) return false
  return true
}
