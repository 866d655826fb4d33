import { canonicalBytes, JSON_TYPE, OUTER_PATHS } from '@parley/protocol'
import { outerRefusal } from './outer-refusal.js'
import { postOnce } from './outer-request.js'

/**
 * Asks a relay for evidence over a nonce. What comes is bytes: nothing is proven by them yet.
 * @param keyId the replica that holds this key; any where undefined
 * @param nonce 32 octets, base64url
 * @throws AgentError `relay_unreachable`, `gateway_refused`, `gateway_key_unknown`
 */
export const fetchEvidence = async (
  url: string,
  keyId: number | undefined,
  nonce: string,
): Promise<Uint8Array> => {
  const query = keyId === undefined ? '' : `?key_id=${keyId}`
  const asked = {
    url: `${url}${OUTER_PATHS.evidence}${query}`,
    type: JSON_TYPE,
    body: canonicalBytes({ nonce }),
  }
  const answer = await postOnce(asked)
  if (answer.status !== 200) throw outerRefusal(answer)
  return answer.body
}
