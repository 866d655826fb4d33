import { toHex, utf8 } from '@parley/protocol'
import { hmacSha256 } from '../ingress/hmac-sha256.js'

/**
 * How a subject stands in a log: HMAC-SHA256 of its identifier, lower-case hex. Once the salt is gone nobody can tell whose
 * it was, nor try identifiers against it.
 * @param salt 32 random bytes, of this subject alone
 */
export const subjectPseudonym = (salt: Uint8Array, subject: string): string =>
  toHex(hmacSha256(salt, utf8(subject)))

/**
 * Whether what is held under a name is a subject's: its own, or of a part of it, `SUBJECT:…`. A did:oas identifier has
 * no parts: `did` is not everybody.
 */
export const isOfSubject = (subject: string, name: string): boolean =>
  name === subject || (name.startsWith(`${subject}:`) && !name.startsWith('did:'))
