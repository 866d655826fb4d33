import { createHash } from 'node:crypto'

/** SHA-256 in lower-case hex. */
export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
