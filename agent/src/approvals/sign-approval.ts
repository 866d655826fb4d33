import { type ApprovalRecord, type Grant, issueGrant } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import type { Identity } from '../identity.js'

/**
 * An owner's signed yes to one effect: from now until the request is over, once.
 * @param audience the host that enforces it
 * @param nowSeconds Unix time
 * @throws AgentError `argument_invalid` where nobody is proven to ask
 * @throws ProtocolError `object_malformed` where whoever asks has no identifier of its own, or the request is over
 */
export const signApproval = (
  { effect, effect_digest, expires_at }: ApprovalRecord,
  { did, key }: Identity,
  audience: string,
  nowSeconds: number,
): Grant => {
  if (effect.identity === null) throw new AgentError('argument_invalid', 'nobody is proven to ask for this')
  const { id } = effect.identity.principal
  return issueGrant(
    {
      ...{ typ: 'approval', iss: did, sub: id, aud: audience, iat: nowSeconds, exp: expires_at },
      ...{ jti: effect_digest, action_digest: effect_digest, max_uses: 1 },
    },
    key,
  )
}
