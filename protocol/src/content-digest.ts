import { sha256 } from '#crypto'
import { toBase64 } from './base64.js'

/**
 * The value of a Content-Digest field: `sha-256=:<base64>:`, and no other algorithm.
 * @see RFC 9530 §2
 */
export const contentDigest = (content: Uint8Array): string => `sha-256=:${toBase64(sha256(content))}:`

/** True if a Content-Digest field is byte for byte the one of the content. @see RFC 9530 §2 */
export const isContentDigest = (value: string, content: Uint8Array): boolean =>
  value === contentDigest(content)
