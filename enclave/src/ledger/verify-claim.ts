import {
  type Ed25519PublicKey,
  type LedgerClaim,
  type LedgerEntry,
  MOST_LEDGER_SEQ,
  verifyLedgerClaim,
  verifyLedgerEntry,
} from '@parley/protocol'
import type { RelayKeys } from '../keys/relay-keys.js'
import { orRefuse, refuse, type Refused } from '../session/refuse.js'

/** Who makes a claim, in the request that carries it. */
export type Claimant = { readonly did: string; readonly publicKey: Ed25519PublicKey; readonly nonce: string }

/**
 * Verifies an owner's claim: made by the caller, for this nonce, and about a head that is its own. A head of this
 * keyset must carry our signature; a head of another keyset is the owner's word, which the claim signs.
 */
export function verifyClaim(
  keys: Pick<RelayKeys, 'keyset' | 'keysetDigest' | 'receiptKey'>,
  claim: LedgerClaim,
  claimant: Claimant,
): Refused | undefined {
  if (claim.owner !== claimant.did) return refuse('ledger_claim_refused', 'owner_mismatch /ledger/owner')
  if (claim.nonce !== claimant.nonce) return refuse('ledger_claim_refused', 'nonce_mismatch /ledger/nonce')
  const verified = orRefuse(
    'ledger_claim_refused',
    () => {
      verifyLedgerClaim(keys.keyset.lane, claim, claimant.publicKey)
      return {}
    },
    () => 'signature_invalid /ledger/signature',
  )
  if ('refused' in verified) return verified
  return claim.head === null ? undefined : checkHeadEntry(keys, claim, claim.head)
}

const checkHeadEntry = (
  keys: Pick<RelayKeys, 'keyset' | 'keysetDigest' | 'receiptKey'>,
  claim: LedgerClaim,
  head: LedgerEntry,
): Refused | undefined => {
  const fits =
    head.lane === keys.keyset.lane &&
    head.tag === claim.tag &&
    head.owner === claim.owner &&
    // Entries follow it: a head near the end would leave its chain, and the peer's session, without a successor.
    head.seq <= MOST_LEDGER_SEQ / 2 &&
    head.before_millibits + head.charge_millibits === head.after_millibits
  if (!fits) return refuse('ledger_claim_refused', 'head_mismatch /ledger/head')
  if (head.keyset_digest !== keys.keysetDigest) return undefined
  const verified = orRefuse(
    'ledger_claim_refused',
    () => verifyLedgerEntry(head, keys.receiptKey.publicKey),
    () => 'signature_invalid /ledger/head/signature',
  )
  return 'refused' in verified ? verified : undefined
}
