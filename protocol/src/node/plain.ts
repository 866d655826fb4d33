/** A Buffer as the plain Uint8Array that the page would return: same memory, no Node methods. */
export const plain = (buffer: Uint8Array): Uint8Array =>
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
