import {
  type Ed25519PublicKey,
  type JsonObject,
  label,
  type Lane,
  type Purpose,
  signObject,
  type SigningKey,
  verifyObject,
} from '@parley/protocol'

/** What a principal signs: who made a task, who answered it. */
export type PrincipalPurpose = Extract<Purpose, 'a2a-task' | 'a2a-response'>

// The pairing's MAC is deniable, either end could have made it; this signature third parties can check.
/** Ed25519 over the object's labelled digest, base64url. */
export const signAsPrincipal = (
  lane: Lane,
  purpose: PrincipalPurpose,
  unsigned: JsonObject,
  key: SigningKey,
): string => signObject(label(lane, purpose), unsigned, key)

/** True if the principal of that key signed this object for this purpose in this lane. */
export const isSignedByPrincipal = (
  lane: Lane,
  purpose: PrincipalPurpose,
  unsigned: JsonObject,
  signature: string,
  key: Ed25519PublicKey,
): boolean => {
  try {
    verifyObject(label(lane, purpose), unsigned, signature, key)
    return true
  } catch {
    return false
  }
}
