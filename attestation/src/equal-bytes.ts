/** Whether two byte strings are the same. Only public values are compared here, so time may depend on them. */
export const equalBytes = (left: Uint8Array, right: Uint8Array): boolean => {
  if (left === right) return true
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

/** Whether a byte string, or its part from one place up to another, holds nothing but zeros. */
export const isZero = (bytes: Uint8Array, from = 0, to = bytes.length): boolean => {
  for (let at = from; at < to; at++) if (bytes[at] !== 0) return false
  return true
}
