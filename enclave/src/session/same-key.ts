import { equalBytes, parseDid } from '@parley/protocol'

/** Whether two DIDs are names of one key: the key is the participant, under whatever namespace and kind. */
export function samePublicKey(did: string, other: string): boolean {
  return equalBytes(parseDid(did).publicKey, parseDid(other).publicKey)
}
