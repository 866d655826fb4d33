import { canonicalBytes, concatBytes, type JsonObject, toBase64, utf8 } from '@parley/protocol'
import type { Signer } from './signer.js'

const IN_TOTO = 'application/vnd.in-toto+json'

/**
 * Signs a statement: the envelope that in-toto and Sigstore read.
 * @see DSSE 1.0, protocol.md (PAE)
 */
export const signDsse = async (statement: JsonObject, signer: Signer): Promise<JsonObject> => {
  const payload = canonicalBytes(statement)
  const signature = await signer.sign(preAuthentication(IN_TOTO, payload))
  return {
    payloadType: IN_TOTO,
    payload: toBase64(payload),
    signatures: [{ keyid: signer.keyId, sig: toBase64(signature) }],
  }
}

/** `DSSEv1` and both parts, each behind its length in bytes: no part can pass for another. */
const preAuthentication = (type: string, payload: Uint8Array): Uint8Array =>
  concatBytes(utf8(`DSSEv1 ${utf8(type).length} ${type} ${payload.length} `), payload)
