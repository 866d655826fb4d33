import { canonicalBytes, type JsonObject, toBase64url, utf8 } from '@parley/protocol'
import type { Signer } from './signer.js'

/**
 * Signs claims as a JWS in compact serialisation.
 * @param typ the media type without `application/`
 * @see RFC 7515 §3.1, RFC 8037 §3.1, RFC 7518 §3.4
 */
export const signJws = async (typ: string, claims: JsonObject, signer: Signer): Promise<string> => {
  const header = canonicalBytes({ alg: signer.alg, kid: signer.keyId, typ })
  const input = `${toBase64url(header)}.${toBase64url(canonicalBytes(claims))}`
  return `${input}.${toBase64url(await signer.sign(utf8(input)))}`
}
