import { type JsonValue, parseDid, ProtocolError, type SigningKey } from '@parley/protocol'
import * as v from 'valibot'
import { signDetached, verifyDetached } from './detached-jws.js'
import type { Grant } from './grant.js'
import { did, integer, jti, jws } from './grant-members.js'

const revocation = v.strictObject({
  typ: v.literal('revocation'),
  iss: did,
  jti,
  iat: integer(0),
  /** The grant's own: from then on there is nothing to revoke. */
  exp: integer(0),
  jws,
})

/** An issuer's word that a grant of its own no longer stands. It cannot be taken back. */
export type Revocation = v.InferOutput<typeof revocation>

/**
 * Reads a revocation and verifies that the grant's issuer signed it.
 * @throws ProtocolError `object_malformed`, `signature_invalid`
 */
export const verifyRevocation = (value: JsonValue): Revocation => {
  const result = v.safeParse(revocation, value, { abortEarly: true })
  if (!result.success) {
    const member = v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'
    throw new ProtocolError('object_malformed', `revocation: member ${member} is missing, unknown or wrong`)
  }
  const { jws: signature, ...unsigned } = result.output
  verifyDetached(unsigned, signature, parseDid(unsigned.iss).publicKey)
  return result.output
}

/**
 * Revokes a grant.
 * @param key of the grant's issuer
 * @param iat Unix seconds
 * @throws ProtocolError `signature_invalid` on another's key
 */
export const issueRevocation = ({ iss, jti, exp }: Grant, iat: number, key: SigningKey): Revocation => {
  const unsigned = { typ: 'revocation' as const, iss, jti, iat, exp }
  return verifyRevocation({ ...unsigned, jws: signDetached(unsigned, key) })
}
