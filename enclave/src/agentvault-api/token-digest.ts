import { equalBytes, sha256, utf8 } from '@parley/protocol'

/** SHA-256 of a bearer token: what is compared, and all that is kept of one that came from outside. */
export type TokenDigest = Uint8Array

/** The digest of a token. */
export const tokenDigest = (token: string): TokenDigest => sha256(utf8(token))

/** Whether two digests are of one token, in a time that depends on neither. */
export const sameToken = (a: TokenDigest, b: TokenDigest): boolean => equalBytes(a, b)
