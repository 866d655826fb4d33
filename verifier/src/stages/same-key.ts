import { equalBytes, parseDid } from '@parley/protocol'

/** Whether two well-formed DIDs hold one key: a key can be written under many names, and it is the key that counts. */
export const isSameKey = (left: string, right: string): boolean =>
  equalBytes(parseDid(left).publicKey, parseDid(right).publicKey)
